import type { OptionSpec } from './command.ts'

/** The bounds that every loop takes. */
export const bounds: readonly OptionSpec[] = [
  { flags: '-n, --max-iterations <n>', says: 'end after n iterations, 0 for no bound' },
  { flags: '--max-time <duration>', says: 'end after this much active time, such as 3h' },
  { flags: '--max-cost <usd>', says: 'end once this much is spent' },
  { flags: '--max-tokens <n>', says: 'end once this many tokens are used' },
]
