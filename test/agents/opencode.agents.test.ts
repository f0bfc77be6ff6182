import { bothCalls, realSuite, writes } from './real-suite.ts'
import { failure } from './scenarios.ts'

realSuite({
  flag: 'opencode',
  name: 'opencode',
  tokens: bothCalls,
  costUsd: 0.004755,
  limit: {
    turns: () => [failure('opencode', 429, 'rate_limit_error', 'Rate limit reached', { 'retry-after': '1' })],
    decision: 'wait',
  },
  denied: { turns: writes('opencode'), env: { OPENCODE_PERMISSION: '{"edit":{"*":"allow","made.txt":"deny"}}' } },
})
