import type { Kind } from './kinds.ts'

/** What stands below a heading: lines of a kind, context only, or what nobody wants built now. */
export type Section = Kind | 'context' | 'excluded'

// The first that matches counts. All are read from a heading's beginning: "Analysis requirements" are not the document's.
const known: readonly (readonly [Section, readonly string[]])[] = [
  [
    'excluded',
    ['non-?goals?', 'out of scope', 'not in scope', 'future', 'later', 'nice to have', "won't", 'examples?'],
  ],
  ['excluded', ['open questions', 'appendix', 'deferred']],
  ['aside', ['non-?functional', 'quality requirements', 'success (?:criteria|metrics)', 'measurable outcomes']],
  ['aside', ['constraints?']],
  [
    'context',
    ['key entities', 'tests? (?:cases?|plan|strategy)', 'testing', 'edge cases', 'notes?', 'adrs?', 'decisions?'],
  ],
  ['context', ['context', 'overview', 'background', 'problem', 'summary', 'introduction', 'glossary', 'references?']],
  [
    'context',
    ['risks?', 'assumptions?', 'workflow', 'architectur(?:e|al)', 'dependencies', 'traceability', 'coverage'],
  ],
  [
    'context',
    [
      'meta(?:data)?',
      'change ?log',
      'log requirements',
      'execution order',
      'verification',
      'validation',
      'timeline',
      'schedule',
      'history',
      '(?:\\w+ )?(?:mapping|matrix)',
      'parallel',
      'format',
    ],
  ],
  ['criterion', ['(?:\\w+ )?acceptance (?:criteria|scenarios|tests?)', 'definition of done', 'done when', 'scenarios']],
  [
    'task',
    ['(?:\\w+ )?(?:tasks?|to-?dos?|work items|backlog|checklist)', 'implementation (?:plan|steps)', 'work breakdown'],
  ],
  ['user-story', ['(?:\\w+ )?(?:user )?stories']],
  [
    'requirement',
    ['(?:functional |product |system |software |core |key |feature ){0,3}(?:requirements|features|capabilities)'],
  ],
  ['phase', ['(?:delivery |implementation |project |development |rollout )?(?:phases|milestones|stages)']],
]
const patterns = known.map(([section, starts]) => [section, new RegExp(`^(?:${starts.join('|')})\\b`)] as const)

/** What a heading says about the lines below it, or undefined where it says nothing. */
export function sectionOf(heading: string): Section | undefined {
  const words = heading
    .slice(0, 200)
    .replace(/[*_`#:]+/g, '')
    .trim()
    .toLowerCase()
    .replace(/^[\d.]{1,20}\)?\s+/, '')
  return patterns.find(([, pattern]) => pattern.test(words))?.[0]
}
