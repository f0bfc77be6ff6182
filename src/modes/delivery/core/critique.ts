import type { Outcome } from '../../../contract/event.ts'
import { describeExit, type FailedCommand } from '../../../judging/commands.ts'
import type { Story } from '../contract/plan.ts'
import type { Tampering } from '../contract/result.ts'

/** Why an attempt failed. */
export type Failure = {
  readonly by: 'time' | 'tampering' | 'command' | 'evidence' | 'unkept' | 'unstable'
  readonly says: string
  readonly failed?: FailedCommand | undefined
  /** True if the failed command belongs to this story, false if to an earlier one. */
  readonly own?: boolean
  readonly missing?: string | undefined
  /** Ignored files of the work tree that are not where the commands ran. */
  readonly absent?: readonly string[] | undefined
  readonly tampering?: readonly Tampering[]
  /** Files that were restored after the attempt. */
  readonly restored?: readonly string[]
}

/** A file that an attempt changed. Line counts are null for binary files. */
export type FileChange = {
  readonly path: string
  readonly status: string
  readonly added: number | null
  readonly deleted: number | null
}

export type CritiqueInput = {
  readonly story: Story
  readonly attempt: number
  readonly of: number
  readonly failure: Failure
  readonly changes: { readonly files: readonly FileChange[]; readonly total: number }
  readonly earlier: readonly string[]
  readonly outcome: Outcome
}

const maxLines = 60
const maxCharacters = 6000
const maxFiles = 30

/** Formats the critique for the next attempt and for people: facts first, then advice. */
export function formatCritique({ story, attempt, of, failure, changes, earlier, outcome }: CritiqueInput): string {
  const sections = [
    `# ${story.id}, attempt ${attempt} of ${of}: ${failure.says}`,
    ...(outcome.status === 'ok'
      ? []
      : [`The agent ended with status ${outcome.status}: ${outcome.detail ?? 'no details'}.`]),
    ...(failure.failed ? [formatCommand(failure.failed)] : []),
    ...(failure.tampering ? [formatTampering(failure.tampering)] : []),
    formatChanges(changes),
    ...(failure.restored?.length
      ? [
          `## Restored files\n\n${failure.restored
            .slice(0, maxFiles)
            .map((path) => `- ${path}`)
            .join('\n')}`,
        ]
      : []),
    ...(failure.absent ? [formatAbsent(failure.absent)] : []),
    ...(earlier.length ? [`## Earlier attempts\n\n${earlier.map((line) => `- ${line}`).join('\n')}`] : []),
    `## What to try\n\n${chooseAdvice(failure, changes.total)}`,
  ]
  return `${sections.join('\n\n')}\n`
}

function formatCommand({ command, exit }: FailedCommand): string {
  const output = takeLast(`${exit.stdoutTail}${exit.stdoutTail && exit.stderrTail ? '\n' : ''}${exit.stderrTail}`)
  return [
    '## What failed',
    fenceCode(command),
    `Result: ${describeExit(exit)}.${exit.truncated ? ' The output was truncated.' : ''}`,
    output ? `Last lines of the output:\n\n${fenceCode(output)}` : 'It printed no output.',
  ].join('\n\n')
}

const formatTampering = (tampering: readonly Tampering[]): string =>
  `## Changes to files that decide verification\n\n${tampering.map(({ kind, path, says }) => `- ${path} (${kind}): ${says}`).join('\n')}`

const formatAbsent = (paths: readonly string[]): string =>
  `## Ignored files\n\nThe commands run on a clean copy: files that git ignores do not count. These are in the work tree only:\n\n${paths.map((path) => `- ${path}`).join('\n')}`

function formatChanges({ files, total }: CritiqueInput['changes']): string {
  if (total === 0) return '## Changed files\n\nNone.'
  const list = files.slice(0, maxFiles).map(({ path, status, added, deleted }) => {
    const lines = added === null ? 'binary' : `+${added} -${deleted}`
    return `- ${path} (${status}, ${lines})`
  })
  const more = total > list.length ? [`- and ${total - list.length} more`] : []
  return `## Changed files\n\n${[...list, ...more].join('\n')}`
}

function chooseAdvice({ by, own, missing, restored, failed }: Failure, changed: number): string {
  if (by === 'tampering') {
    return 'Tracked files were restored. Make the checks pass by fixing the code they check, not by changing the checks.'
  }
  if (by === 'time')
    return 'Take a smaller step first, and leave the files in a state that the next attempt can build on.'
  if (by === 'unkept') return 'Remove the .git folder inside it, so that its files become part of this repository.'
  if (by === 'unstable') return 'The checks change files each time they run. Make them leave the work as it is.'
  if (restored?.length) return 'Make the restored checks pass by changing the code that they check.'
  if (by === 'evidence' && failed)
    return 'Make this command pass with the tests and settings as they were before the story: change the code that they check.'
  if (by === 'evidence')
    return 'Do the work that the criteria ask for, so that its tests pass with it and fail without it.'
  if (missing)
    return `The program ${missing} is not installed on this machine. No change in the repository can fix that.`
  if (own === false) return 'A check of an earlier story fails now. Fix that first; this story itself may be fine.'
  if (changed === 0) return 'Nothing was changed. Read the criteria again and change the files they refer to.'
  return 'Read the output above, find the root cause and fix it. Run the command yourself before you finish.'
}

function takeLast(text: string): string {
  const lines = text.trimEnd().slice(-maxCharacters).split('\n')
  return lines.slice(-maxLines).join('\n')
}

/** Uses a fence longer than any in the text, so that nothing inside can close it. */
export function fenceCode(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}\n${text}\n${mark}`
}
