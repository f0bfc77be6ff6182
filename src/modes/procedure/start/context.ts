import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import type { ProcedureRequest } from '../contract/request.ts'

/** What a person adds for this one run: a file where there is one of that name, else the text itself. */
export const contextFromFlags = (given: readonly string[], from: string): ProcedureRequest['context'] =>
  given.map((entry) => {
    if (entry.trim() === '') throw new PawlError(2, '--context is empty', 'Give a file or a text.')
    const path = resolve(from, entry)
    return isFile(path) ? { file: path } : entry
  })

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
