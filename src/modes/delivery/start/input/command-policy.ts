import { excerpt } from '../../../../config/problem.ts'
import { simpleCommands } from './simple-commands.ts'

const mostBytes = 32 * 1024

/**
 * Why a command may not run, or undefined if it may. Where `allow` is given, every program of a chain must be named in
 * it, and a command of which that cannot be told for sure is refused.
 */
export function refuseCommand(command: string, allow: readonly string[] | undefined): string | undefined {
  if (command.trim() === '') return 'the command is empty'
  if (command.includes('\0')) return 'the command has NUL in it'
  if (Buffer.byteLength(command) > mostBytes) return 'the command has more than 32 KiB'
  if (!allow) return undefined
  const { firstWords, unclear } = simpleCommands(command)
  if (unclear !== undefined) return `verification.allow cannot be checked: ${unclear}`
  const other = firstWords.find((word) => !allow.includes(word))
  return other === undefined ? undefined : `${excerpt(JSON.stringify(other))} is not in verification.allow`
}

/** The programs that a command starts by name, in order; undefined where that cannot be told for sure. */
export function firstWords(command: string): readonly string[] | undefined {
  const { firstWords, unclear } = simpleCommands(command)
  return unclear === undefined ? firstWords : undefined
}
