import type { Outcome } from '../../../contract/event.ts'
import { describeExit, type FailedCommand } from '../../../judging/commands.ts'
import type { Story } from '../contract/plan.ts'
import type { Tampering } from '../contract/result.ts'

/** What an attempt failed by. */
export type Failure = {
  readonly by: 'time' | 'tampering' | 'command' | 'evidence' | 'unkept'
  readonly says: string
  readonly failed?: FailedCommand
  /** The command is the story's own, and not one of an earlier story. */
  readonly own?: boolean
  readonly missing?: string | undefined
  readonly tampering?: readonly Tampering[]
}

/** A file as an attempt left it. Lines are null for what is binary. */
export type FileChange = {
  readonly path: string
  readonly status: string
  readonly added: number | null
  readonly deleted: number | null
}

export type Criticised = {
  readonly story: Story
  readonly attempt: number
  readonly of: number
  readonly failure: Failure
  readonly changes: { readonly files: readonly FileChange[]; readonly total: number }
  readonly earlier: readonly string[]
  readonly outcome: Outcome
}

const mostLines = 60
const mostCharacters = 6000
const mostFiles = 30

/** What the next attempt is told, and a person can read: facts first, then what to try. */
export function formatCritique({ story, attempt, of, failure, changes, earlier, outcome }: Criticised): string {
  const sections = [
    `# ${story.id}, attempt ${attempt} of ${of}: ${failure.says}`,
    ...(outcome.status === 'ok'
      ? []
      : [`The agent itself ended as ${outcome.status}: ${outcome.detail ?? 'no detail'}.`]),
    ...(failure.failed ? [commandSection(failure.failed)] : []),
    ...(failure.tampering ? [tamperingSection(failure.tampering)] : []),
    changedSection(changes),
    ...(earlier.length ? [`## Earlier attempts\n\n${earlier.map((line) => `- ${line}`).join('\n')}`] : []),
    `## What to try\n\n${advice(failure, changes.total)}`,
  ]
  return `${sections.join('\n\n')}\n`
}

function commandSection({ command, exit }: FailedCommand): string {
  const output = takeLast(`${exit.stdoutTail}${exit.stdoutTail && exit.stderrTail ? '\n' : ''}${exit.stderrTail}`)
  return [
    '## What failed',
    fenced(command),
    `It ended with: ${describeExit(exit)}.${exit.truncated ? ' Its output was cut.' : ''}`,
    output ? `The last lines of its output:\n\n${fenced(output)}` : 'It printed nothing.',
  ].join('\n\n')
}

const tamperingSection = (tampering: readonly Tampering[]): string =>
  `## What was touched\n\n${tampering.map(({ kind, path, says }) => `- ${path} (${kind}): ${says}`).join('\n')}`

function changedSection({ files, total }: Criticised['changes']): string {
  if (total === 0) return '## What it changed\n\nNothing.'
  const list = files.slice(0, mostFiles).map(({ path, status, added, deleted }) => {
    const lines = added === null ? 'binary' : `+${added} -${deleted}`
    return `- ${path} (${status}, ${lines})`
  })
  const more = total > list.length ? [`- and ${total - list.length} more`] : []
  return `## What it changed\n\n${[...list, ...more].join('\n')}`
}

function advice({ by, own, missing }: Failure, changed: number): string {
  if (by === 'tampering') {
    return 'What git knows of them was put back. Make the checks pass by changing what they check, not by changing them.'
  }
  if (by === 'time') return 'Take a smaller step first, and leave the tree in a state that can be built on.'
  if (by === 'unkept') return 'Remove the .git folder inside it, so that its files belong to this repository.'
  if (by === 'evidence') return 'Do the work that the criteria ask for, with a check that was red before it.'
  if (missing)
    return `The program ${missing} does not exist on this machine. No change in the repository can mend that.`
  if (own === false) return 'Something that worked before is broken now. Mend that first; the story itself may be fine.'
  if (changed === 0) return 'Nothing was changed. Read the criteria again, and change the files that they speak of.'
  return 'Read the output above, find the first cause, and mend that. Run the command yourself before you finish.'
}

function takeLast(text: string): string {
  const lines = text.trimEnd().slice(-mostCharacters).split('\n')
  return lines.slice(-mostLines).join('\n')
}

/** A fence longer than any in the text, so that nothing in it ends it. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}\n${text}\n${mark}`
}
