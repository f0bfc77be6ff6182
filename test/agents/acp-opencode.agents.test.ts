import { lastCall, realSuite } from './real-suite.ts'
import { failure } from './scenarios.ts'

realSuite({
  flag: 'acp:opencode acp',
  name: 'opencode',
  // It tells the tokens of its last call for those of the session, and no dollars.
  tokens: lastCall,
  costUsd: null,
  limit: {
    turns: () => [failure('opencode', 429, 'rate_limit_error', 'Rate limit reached', { 'retry-after': '1' })],
    decision: 'retry',
  },
})
