import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser'
import { readNamedFile } from '../input/named-file.ts'

/** Read-only access to the small files of a repository. */
export type Repository = {
  has(path: string): boolean
  /** Returns an empty string if the file is missing, too large or not a regular file. */
  text(path: string): string
  /** Returns the names in a folder, sorted. Empty if it is missing or not a folder. */
  list(path: string): readonly string[]
}

export const openRepositoryFiles = (root: string): Repository => ({
  has: (path) => existsSync(join(root, path)),
  text: (path) => {
    const bytes = readNamedFile(join(root, path), maxBytes, { links: false })
    return typeof bytes === 'string' || bytes.length > maxBytes ? '' : bytes.toString('utf8')
  },
  list: (path) => {
    try {
      return readdirSync(join(root, path)).sort()
    } catch {
      return []
    }
  },
})

const maxBytes = 1 << 20

/** Parses JSON with comments and trailing commas, such as deno.jsonc. Returns `{}` for anything else. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = []
  try {
    const tree = parseTree(text, errors, { allowTrailingComma: true })
    return tree && errors.length === 0 ? (Object(getNodeValue(tree)) as Record<string, unknown>) : {}
  } catch {
    // Nested too deeply for the stack.
    return {}
  }
}

/** Returns the string values of a map such as `scripts`. */
export function pickStrings(map: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(Object(map) as Record<string, unknown>)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Ignores a home directory under git (dotfiles): it is not the repository of the folders in it. */
export function findGitRoot(from: string, home: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) && (folder === from || folder !== home)) return folder
    if (folder === dirname(folder)) return undefined
  }
}
