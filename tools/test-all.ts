/** Whether the tests that rarely fail run as well: with `TEST_ALL=1`, as in `.ci/run`. */
export const isAll = process.env['TEST_ALL'] !== undefined

/** The first of cases that mostly fail together, and with `TEST_ALL=1` all of them. */
export const some = <T>(cases: readonly T[], count: number): readonly T[] => (isAll ? cases : cases.slice(0, count))
