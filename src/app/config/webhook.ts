import type { ConfigProblem } from './problem.ts'

/** Where a run reports to is the person's choice: a repository that could set it could listen. */
export function webhookOfRepository(
  asked: unknown,
  tier: 'user' | 'workspace',
  place: Pick<ConfigProblem, 'file' | 'line' | 'column'>,
): readonly ConfigProblem[] {
  if (asked === undefined || tier === 'user') return []
  return [
    {
      ...place,
      key: 'notify_webhook',
      what: 'a repository cannot set where your runs report to',
      found: 'an address',
      allowed: 'nothing here',
      next: 'Remove it there; if you want it, set it in your own config.yml or in PAWL_NOTIFY_WEBHOOK.',
    },
  ]
}
