/** 15 s, then twice as long each time up to 15 minutes: nobody said when it will work again. */
export const backOffMs = (times: number): number => Math.min(15 * 60_000, 15_000 * 2 ** Math.max(0, times - 1))
