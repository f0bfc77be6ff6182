import type { Tampering } from '../../../contract/result.ts'
import { formatLine } from './normalize-lines.ts'

/** A file that an attempt touched. A text is undefined if the file is missing, binary or too large. */
export type Touched = {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted'
  readonly before: string | undefined
  readonly after: string | undefined
}

export type Finding = Pick<Tampering, 'kind' | 'says'>

/** The verification commands, the files the story names, and the package scripts if known. */
export type About = {
  readonly commands: readonly string[]
  readonly focus: readonly string[]
  readonly packageScripts?: Readonly<Record<string, string>>
}

export const became = (before: string, after: string): string =>
  `\`${formatLine(before)}\` became \`${formatLine(after)}\``
export const wasAdded = (line: string): string => `\`${formatLine(line)}\` was added`
export const wasRemoved = (line: string): string => `\`${formatLine(line)}\` was removed`
export const formatCount = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
export const summarize = (says: readonly string[]): string =>
  says.length > 1 ? `${says[0]}, and ${says.length - 1} more` : (says[0] ?? '')
