import type { ContextTopic } from '../../../contract/plan.ts'
import type { Kind } from './ids.ts'

/**
 * The content of a section: items of a kind, context only, things not to build now, or a map, which only refers to items that are
 * defined elsewhere.
 */
export type Section = Kind | 'context' | 'map' | 'excluded'

// The first match wins. Patterns match the start of a heading: "Analysis requirements" is not a requirements section.
const known: readonly (readonly [Section, string])[] = [
  [
    'excluded',
    "non-?goals?|out[- ]of[- ]scope|not in scope|future|later|nice to have|won't|examples?|open questions|appendix|deferred",
  ],
  [
    'aside',
    'non-?functional|(?:technical|quality|performance|security) requirements|success (?:criteria|metrics)|measurable outcomes|constraints?',
  ],
  [
    'map',
    'dependencies|traceability|coverage|execution order|(?:\\w+ )?(?:mapping|matrix)|(?:table of )?contents|change ?log',
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
    'architectur(?:e|al)|meta(?:data)?|log requirements|abstract|goals?|objectives?|in[- ]scope|vision|purpose',
  ],
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
  const words = plainWords(heading)
  const found = patterns.find(([, pattern]) => pattern.test(words))?.[0]
  return found ?? (within === null && loosePattern.test(words) ? 'context' : undefined)
}

/** Returns the section if its name is all that the heading says: `Requirements`, not `Requirements Document`. */
export function findNamedSection(heading: string): Section | undefined {
  const words = plainWords(heading).trimEnd()
  return patterns.find(([, pattern]) => pattern.exec(words)?.[0] === words)?.[0]
}

const topicPatterns: readonly (readonly [ContextTopic, RegExp])[] = [
  ['goals', asPattern('goals?|objectives?|in[- ]scope|success (?:criteria|metrics)|measurable outcomes')],
  ['non-goals', asPattern('non-?goals?|out[- ]of[- ]scope|not in scope')],
  [
    'constraints',
    asPattern('constraints?|non-?functional|(?:technical|quality|performance|security) requirements|assumptions?'),
  ],
]

/** Returns the topic of a section that every story has to know about. */
export function findTopic(heading: string): ContextTopic | undefined {
  const words = plainWords(heading)
  return topicPatterns.find(([, pattern]) => pattern.test(words))?.[0]
}

const plainWords = (heading: string): string =>
  heading
    .slice(0, 200)
    .replace(/[*_`#:]+/g, '')
    .toLowerCase()
    .replace(/^(?:[^\p{L}\p{N}]{1,20}|[\d.]{1,20}\)?\s+|p\d(?![\p{L}\p{N}])){1,5}/u, '')
