import type { ConfigProblem } from './problem.ts'

/** What is the person's choice alone: a repository that could set it could listen. */
const choices = {
  notify_webhook: {
    what: 'a repository cannot set where your runs report to',
    found: 'an address',
    next: 'Remove it there; if you want it, set it in your own config.yml or in PAWL_NOTIFY_WEBHOOK.',
  },
  ladder: {
    what: 'a repository cannot set which models your texts are sent to',
    found: 'models',
    next: 'Remove it there; if you want it, set it in your own config.yml.',
  },
  judge: {
    what: 'a repository cannot set which model judges your texts',
    found: 'a model',
    next: 'Remove it there; if you want it, set it in your own config.yml.',
  },
} as const

export function choicesOfRepository(
  written: Readonly<Record<string, unknown>>,
  tier: 'user' | 'workspace',
  placeOf: (key: string) => Pick<ConfigProblem, 'file' | 'line' | 'column'>,
): readonly ConfigProblem[] {
  if (tier === 'user') return []
  return Object.entries(choices).flatMap(([key, told]) =>
    written[key] === undefined ? [] : [{ ...placeOf(key), key, allowed: 'nothing here', ...told }],
  )
}
