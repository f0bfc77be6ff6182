/** True in `npm run test:slow`. `npm test` takes a sample of each slow suite, so that it stays a matter of minutes. */
export const isWhole = process.env.PAWL_TESTS === 'all'

/** Every nth item, the first one always. */
export const sampled = <T>(items: readonly T[], every: number): readonly T[] =>
  isWhole ? items : items.filter((_, index) => index % every === 0)
