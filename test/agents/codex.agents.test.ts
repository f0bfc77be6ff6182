import { bothCalls, realSuite, writes } from './real-suite.ts'
import { usageLimit } from './scenarios.ts'

realSuite({
  flag: 'codex',
  name: 'codex',
  tokens: bothCalls,
  costUsd: null,
  limit: { turns: () => [usageLimit('codex', Math.round(Date.now() / 1000) + 3600)], decision: 'wait' },
  // Its sandbox lets it write in the workspace, but not there.
  denied: { turns: writes('codex', '.git/made.txt') },
})
