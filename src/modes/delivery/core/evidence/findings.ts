import type { Story } from '../../contract/plan.ts'
import type { Tampering } from '../../contract/result.ts'
import type { Role } from './roles.ts'

export type Found = Omit<Tampering, 'attempt'>

/** A file that decides verification. A text is undefined if it is missing, binary or too large. */
export type Touched = {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted'
  readonly role: Role
  readonly before: string | undefined
  readonly after: string | undefined
}

type Names = Pick<Story, 'file_focus' | 'text'>

/** Whether the plan lists a file for a story, or the story's own lines have its path in backticks. */
export const namesFile = ({ file_focus, text = '' }: Names, path: string): boolean =>
  file_focus.includes(path) || text.includes(`\`${path}\``)

/** Tells people what a story touched of the files that decide verification. New tests are not worth a word. */
export function describeTouched(touched: readonly Touched[], story: Names): Found[] {
  return touched.flatMap((file) => {
    const { path, status, role } = file
    if (role === 'test' && status === 'added') return []
    const hint = status === 'deleted' ? undefined : findHint(file)
    const kind = hint?.kind ?? (role === 'test' && status === 'deleted' ? 'test-deleted' : kinds[role])
    const says = hint
      ? `\`${formatLine(hint.line)}\` was added`
      : `it was ${status === 'modified' ? 'changed' : status}`
    return [{ kind, path, says, expected: namesFile(story, path) }]
  })
}

const kinds = {
  test: 'test-changed',
  settings: 'config-changed',
  runner: 'runner-replaced',
  script: 'script-changed',
  ci: 'ci-changed',
} as const satisfies Record<Role, Tampering['kind']>

/** Lines that a reader should see first. They decide nothing. */
const hints: readonly (readonly [Tampering['kind'], readonly Role[], RegExp])[] = [
  [
    'test-skipped',
    ['test'],
    /\b(?:it|test|describe|suite|context)\.(?:skip|only|todo)\b|\bx(?:it|describe|test)\(|@(?:unittest|pytest\.mark)\.(?:skip|xfail)|\bpytest\.skip\(|\bt\.Skip|#\[ignore|@Disabled|@Ignore|\bskip\b.*\bdo\b/,
  ],
  [
    'script-changed',
    ['script', 'settings', 'ci', 'test'],
    /\|\|\s*(?:true|:|exit 0)|--passWithNoTests|continue-on-error: *true|\bset \+e\b/,
  ],
]

function findHint({ role, before = '', after = '' }: Touched) {
  const known = new Set(before.split('\n').map((line) => line.trim()))
  for (const line of after
    .slice(0, maxLength)
    .split('\n')
    .map((one) => one.trim())) {
    const found = known.has(line)
      ? undefined
      : hints.find(([, roles, pattern]) => roles.includes(role) && pattern.test(line))
    if (found) return { kind: found[0], line }
  }
  return undefined
}
const maxLength = 1 << 20

/** One short line without control characters. */
const formatLine = (text: string): string => {
  const clean = text
    .slice(0, 400)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ')
    .trim()
  return clean.length > 80 ? `${clean.slice(0, 79)}…` : clean
}
