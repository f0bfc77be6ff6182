import type { Tampering } from '../../../contract/result.ts'
import { shown } from './normalize-lines.ts'

/** A file that an attempt touched. undefined: not there, binary or too large. */
export type Touched = {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted'
  readonly before: string | undefined
  readonly after: string | undefined
}

export type Finding = Pick<Tampering, 'kind' | 'says'>

/** What verification runs, what the story is about, and what `npm run` would run, where that is known. */
export type About = {
  readonly commands: readonly string[]
  readonly focus: readonly string[]
  readonly packageScripts?: Readonly<Record<string, string>>
}

export const became = (before: string, after: string): string => `\`${shown(before)}\` became \`${shown(after)}\``
export const wasAdded = (line: string): string => `\`${shown(line)}\` was added`
export const wasRemoved = (line: string): string => `\`${shown(line)}\` was removed`
export const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
export const andMore = (says: readonly string[]): string =>
  says.length > 1 ? `${says[0]}, and ${says.length - 1} more` : (says[0] ?? '')
