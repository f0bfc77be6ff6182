import { isUtf8 } from 'node:buffer'
import { readdirSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { findInvalidUtf8Line, readNamedFile } from '../../../config/input/named-file.ts'
import { ConfigError } from '../../../config/problem.ts'

const maxBytes = 1024 * 1024
const maxFiles = 100

/**
 * Reads a file below a folder of project types; undefined if there is none. Somebody else may have written what is in the folder,
 * so a link may not lead out of it: the text goes to a model.
 */
export function readTypeFile(folder: string, path: string): string | undefined {
  const shown = join(folder, path)
  const real = findInside(folder, path)
  if (real === undefined) return undefined
  const bytes = readNamedFile(real, maxBytes, { links: false })
  if (bytes === 'missing') return undefined
  if (typeof bytes === 'string') throw refuse(shown, bytes, 'Replace it with a text file, or remove it.')
  if (bytes.length > maxBytes) throw refuse(shown, 'more than 1 MiB', 'Make it smaller.')
  if (!isUtf8(bytes)) {
    throw refuse(shown, 'bytes that are not UTF-8', 'Save the file as UTF-8.', findInvalidUtf8Line(bytes))
  }
  // The decoder drops a byte order mark, so columns count from the first character.
  return new TextDecoder().decode(bytes)
}

/** Returns the sorted names in a folder; none if it does not exist. */
export function listNames(folder: string, path = '.'): readonly string[] {
  const real = findInside(folder, path)
  if (real === undefined) return []
  try {
    const names = readdirSync(real)
    if (names.length > maxFiles) throw refuse(join(folder, path), `${names.length} files`, 'Remove some of them.')
    return names.sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** Returns the real path, or undefined if nothing is there. Throws if a link leads out of the folder. */
function findInside(folder: string, path: string): string | undefined {
  const [root, real] = [realPath(folder), realPath(join(folder, path))]
  if (root === undefined || real === undefined) return undefined
  const way = relative(root, real)
  if (way !== '..' && !way.startsWith(`..${sep}`)) return real
  throw refuse(join(folder, path), `a link to ${real}`, 'Replace the link with a copy of the file.')
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw refuse(path, `a path that cannot be followed (${code})`, 'Check the links and permissions of its folders.')
  }
}

const refuse = (file: string, found: string, next: string, line: number | null = null): ConfigError =>
  new ConfigError([
    {
      file,
      line,
      column: line === null ? null : 1,
      key: '',
      what: 'cannot be read',
      found,
      allowed: `text files in UTF-8 of at most 1 MiB inside the folder, at most ${maxFiles} in a folder`,
      next,
    },
  ])
