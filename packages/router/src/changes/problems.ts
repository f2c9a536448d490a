/** Why a change cannot be undone, and what to do. */
export const changeProblems = {
  unused: 'no action has its newer schema. Pass became() the same schema object, and declare inner changes first',
  'no-up': 'a request contains its newer schema. Add up, or list the changed actions in only',
  'no-down': 'a response contains its newer schema. Add down, or list the changed actions in only',
  ambiguous: 'a value does not show whether its newer schema applies, as in anyOf. Pass became() the outer schema',
  recursive: 'its newer schema is part of one that contains itself. Write a controller',
  library: 'its newer schema is part of a transformation or a default. Pass became() the outer schema',
  partial: 'a body is a partial of its newer schema. Add became() of the partials, or list the changed actions in only',
  status: 'no response has its newer status, or one also has the older. List the changed actions in only',
  async: 'its conversion returns a promise. Write a controller',
  drifted: 'a schema has the $id of its newer schema, but other contents. Declare what changed, or use another $id',
}
