// Compares planning a PRD of 1 MB with only parsing it, in turns; then plans many stories with dependencies.
import MarkdownIt from 'markdown-it'
import { compilePlan } from '../../src/modes/delivery/core/planner/compile.ts'
import type { Pair } from '../pairs.ts'

const [bytes, stories, times] = process.argv.slice(2).map(Number) as [number, number, number]
const proof = { story_commands: ['npm test'], run_commands: [] }
const prd = prdOf(bytes)
const bare = new MarkdownIt()

const pairs: Pair[] = []
let planned = 0
for (let turn = 0; turn <= times; turn++) {
  const subject = timed(() => {
    planned = storiesIn(prd)
  })
  pairs.push({ subject, anchor: timed(() => void bare.parse(prd, {})) })
}
const many = manyStories(stories)
const sorted = Array.from({ length: times }, () => timed(() => void storiesIn(many)))
console.log(JSON.stringify({ pairs: pairs.slice(1), planned, sorted }))

function storiesIn(text: string): number {
  const result = compilePlan(text, 'prd.md', proof)
  if (!result.ok) throw new Error(result.problem.message)
  return result.plan.stories.length
}

/** Starts each turn with a clean heap, so that no turn pays for the garbage of another. */
function timed(work: () => void): number {
  globalThis.gc?.()
  const began = performance.now()
  work()
  return performance.now() - began
}

/** Prose, lists, tables, code and criteria, like in a long PRD. */
function prdOf(size: number): string {
  const parts: string[] = ['# A long PRD\n']
  for (let at = 0, length = 0; length < size; at++) {
    const part = sectionOf(at)
    parts.push(part)
    length += part.length
  }
  return parts.join('\n')
}

function sectionOf(at: number): string {
  const needs = at > 0 && at % 3 === 0 ? ` Depends on AC-${at - 1}.` : ''
  return `## Part ${at}

The *service* keeps what people send to it for \`${at}\` days, and **nothing** of it is shown to anybody else. See
[the notes](https://example.org/notes/${at}) for what was tried before, and why it did not hold.

- what is kept is encrypted, with a key of its own
- what is removed is removed within an hour, \`src/store/part-${at}.ts\` included

| field | meaning |
|-------|---------|
| name  | what people call it |
| size  | at most ${at} MB |

\`\`\`ts
export const part${at} = { keep: true, days: ${at} }
\`\`\`

### Acceptance Criteria

- **AC-${at}:** Given a thing of part ${at}, \`keep\` answers within ten milliseconds.${needs}
  - the answer names the thing
`
}

/** In the worst order: each story depends on the next one. */
function manyStories(count: number): string {
  const line = (at: number): string => `- T-${at}: do the ${at}th thing${at < count ? `. Depends on T-${at + 1}` : ''}`
  return `## Tasks\n\n${Array.from({ length: count }, (_, index) => line(index + 1)).join('\n')}\n`
}
