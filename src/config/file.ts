import { isUtf8 } from 'node:buffer'
import { firstBrokenLine, readNamedFile } from './input/named-file.ts'
import type { ConfigProblem } from './problem.ts'

const mostBytes = 1024 * 1024

export type FileText = { readonly text: string | null; readonly problems: readonly ConfigProblem[] }

/** The text of a config file; `null` without problems where there is none. */
export function readText(path: string, shown: string): FileText {
  const refuse = (found: string, next: string, line: number | null = null): FileText => {
    const allowed = 'a readable text file in UTF-8 of at most 1 MiB'
    const column = line === null ? null : 1
    return {
      text: null,
      problems: [{ file: shown, line, column, key: '', what: 'cannot be read', found, allowed, next }],
    }
  }
  const bytes = readNamedFile(path, mostBytes)
  if (bytes === 'missing') return { text: null, problems: [] }
  if (typeof bytes === 'string') return refuse(bytes, 'Put a text file in its place, or remove it.')
  if (bytes.length > mostBytes) return refuse('more than 1 MiB', 'Make it smaller.')
  if (!isUtf8(bytes)) return refuse('bytes that are not UTF-8', 'Save the file as UTF-8.', firstBrokenLine(bytes))
  // The decoder drops a byte order mark, so columns count from the first letter.
  return { text: new TextDecoder().decode(bytes), problems: [] }
}
