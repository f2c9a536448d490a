/** Whether the tests that rarely fail run as well: with `TEST_ALL=1`, as in `.ci/run`. */
export const isAll = process.env['TEST_ALL'] !== undefined

/** The first of cases that mostly fail together and others at even distances, and with `TEST_ALL=1` all of them. */
export const some = <T>(cases: readonly T[], count: number): readonly T[] =>
  isAll
    ? cases
    : cases.filter(
        (_, i) =>
          Math.floor((i * count) / cases.length) > Math.floor(((i - 1) * count) / cases.length),
      )
