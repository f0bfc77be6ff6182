import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { nearest } from '../../../contract/nearest.ts'

const mostNames = 5000

/**
 * Whether somebody meant a file and not a task. With blanks in it, it is one only if its folder is there: tasks
 * speak of TCP/IP and of either/or.
 */
export function looksLikePath(word: string, folder: string): boolean {
  if (/[\r\n]/.test(word)) return false
  if (!/\s/.test(word)) return word.includes('/') || /^[~.]/.test(word) || /\.[A-Za-z0-9]{1,5}$/.test(word)
  if (/^(?:~[^\s/]*|\.{1,2})?\//.test(word)) return true
  return word.includes('/') && isFolder(resolve(folder, dirname(word)))
}

/** It is not there: which one may have been meant. */
export function missingFile(word: string, folder: string, hint?: string): PawlError {
  const inside = dirname(word)
  const at = resolve(folder, inside)
  if (!isFolder(at)) return new PawlError(2, `there is no file ${word}: there is no folder ${inside}`, hint)
  const close = nearest(basename(word), namesIn(at))
  const guess = close && `Did you mean ${inside === '.' && !word.startsWith('.') ? close : join(inside, close)}?`
  return new PawlError(2, `there is no file ${word}`, guess ?? hint)
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, mostNames)
  } catch {
    return []
  }
}
