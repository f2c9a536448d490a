// What the front page shows: the app of the tutorial. docs/diagrams.test.ts compares it with that app.
export const demo = {
  path: '/api/users/1',
  accept: 'application/vnd.acme+json;version=',
  bodies: [
    { version: 1, lines: ['{', '  "id": "1",', '  "name": "Ann Lee"', '}'] },
    { version: 2, lines: ['{', '  "id": "1",', '  "first": "Ann",', '  "last": "Lee"', '}'] },
  ],
} as const
