/** `npm run test:all` takes every one; `npm test` takes some of each kind, so that it stays a matter of minutes. */
export const isWhole = process.env.PAWL_TESTS === 'all'

/** Every so many, the first one always. */
export const sampled = <T>(items: readonly T[], every: number): readonly T[] =>
  isWhole ? items : items.filter((_, index) => index % every === 0)
