import type { Kind } from './ids.ts'

/** The content of a section: items of a kind, context only, or things not to build now. */
export type Section = Kind | 'context' | 'excluded'

// The first match wins. Patterns match the start of a heading: "Analysis requirements" is not a requirements section.
const known: readonly (readonly [Section, string])[] = [
  [
    'excluded',
    "non-?goals?|out of scope|not in scope|future|later|nice to have|won't|examples?|open questions|appendix|deferred",
  ],
  [
    'aside',
    'non-?functional|(?:technical|quality|performance|security) requirements|success (?:criteria|metrics)|measurable outcomes|constraints?',
  ],
  [
    'context',
    'key entities|tests? (?:cases?|plan|strategy)|testing|edge cases|notes?|adrs?|decisions?|context|overview',
  ],
  [
    'context',
    'background|motivation|terminology|alternatives|problem|summary|introduction|glossary|references?|risks?|assumptions?|workflow',
  ],
  [
    'context',
    'architectur(?:e|al)|dependencies|traceability|coverage|meta(?:data)?|change ?log|log requirements|abstract',
  ],
  ['context', 'execution order|(?:\\w+ )?(?:mapping|matrix)|(?:table of )?contents'],
  ['criterion', '(?:\\w+ )?acceptance (?:criteria|scenarios|tests?)|definition of done|done when|scenarios'],
  ['task', '(?:\\w+ )?(?:tasks?|work items|backlog|checklist)|implementation (?:plan|steps)|work breakdown|steps$'],
  ['check', '(?:\\w+ )?to[- ]?dos?'],
  ['user-story', '(?:\\w+ )?(?:user )?stories'],
  [
    'requirement',
    '(?:functional |product |system |software |core |key |feature ){0,3}(?:requirements|features|capabilities)',
  ],
  ['requirement', '(?:must|should|could)[ -]haves?|feature list'],
  ['phase', '(?:delivery |implementation |project |development |rollout )?(?:phases|milestones|stages)'],
  [
    'requirement',
    'what (?:we|you|users?|it|customers?) (?:needs?|wants?|must do|should do)|what to build|deliverables',
  ],
]
/** Context, except inside a section such as Requirements, where these name things to build. */
const loose = 'timeline|schedule|history|verification|validation|parallel|format'

const asPattern = (starts: string): RegExp => new RegExp(`^(?:${starts})(?![\\p{L}\\p{N}_])`, 'u')
const patterns = known.map(([section, starts]) => [section, asPattern(starts)] as const)
const loosePattern = asPattern(loose)

/** Returns the section a heading starts. Undefined if its words are not known. */
export function findSection(heading: string, within: Section | null = null): Section | undefined {
  const words = heading
    .slice(0, 200)
    .replace(/[*_`#:]+/g, '')
    .toLowerCase()
    .replace(/^(?:[^\p{L}\p{N}]{1,20}|[\d.]{1,20}\)?\s+){1,4}/u, '')
  const found = patterns.find(([, pattern]) => pattern.test(words))?.[0]
  return found ?? (within === null && loosePattern.test(words) ? 'context' : undefined)
}
