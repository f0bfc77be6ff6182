import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getNodeValue, type ParseError, parseTree } from 'jsonc-parser'
import { readNamedFile } from '../input/named-file.ts'

/** A repository as a person's tools know it: small files by name, nothing run, nothing written. */
export type Repository = {
  has(path: string): boolean
  /** Empty where there is none, or nothing one would read. */
  text(path: string): string
}

export const repositoryAt = (root: string): Repository => ({
  has: (path) => existsSync(join(root, path)),
  text: (path) => {
    const bytes = readNamedFile(join(root, path), mostBytes, { links: false })
    return typeof bytes === 'string' || bytes.length > mostBytes ? '' : bytes.toString('utf8')
  },
})

const mostBytes = 1 << 20

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

/** The texts of a map such as `scripts`, whatever else stands in it. */
export function pickTexts(map: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(Object(map) as Record<string, unknown>)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** A home that is kept in git as a whole is not the repository of the folders in it. */
export function findGitRoot(from: string, home: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) && (folder === from || folder !== home)) return folder
    if (folder === dirname(folder)) return undefined
  }
}
