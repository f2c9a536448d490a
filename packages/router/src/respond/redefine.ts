type AnyClass = abstract new (...args: never[]) => object

/**
 * Returns the class itself, typed without the named actions. A subclass may then change their results and parameters, or turn
 * them into objects with options. Plain `extends` requires each override to be assignable to the parent's method.
 *
 * Name every action that the subclass defines. Protected members of the parent are not visible through it.
 *
 * @param Class - the controller class of an earlier version
 * @param _names - the actions that the subclass defines
 * @example
 * class UsersV2 extends redefine(UsersV1, 'index') {
 *   index() { return { users: this.store.all() } } // version 1 returns the bare list
 * }
 */
export const redefine = <Class extends AnyClass, Name extends keyof InstanceType<Class>>(
  Class: Class,
  ..._names: readonly Name[]
): new (...args: ConstructorParameters<Class>) => Omit<InstanceType<Class>, Name> => Class as never
