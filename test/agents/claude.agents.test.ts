import { bothCalls, realSuite, writes } from './real-suite.ts'
import { subscribed, usageLimit } from './scenarios.ts'

realSuite({
  flag: 'claude',
  name: 'claude',
  tokens: bothCalls,
  costUsd: 0.00618,
  limit: { turns: () => [usageLimit('claude', Date.now() / 1000 + 3600)], env: subscribed.claude, decision: 'wait' },
  denied: {
    turns: writes('claude'),
    files: { '.claude/settings.json': '{"permissions":{"deny":["Edit(made.txt)"]}}' },
  },
})
