import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** JSON as people write it into deno.jsonc and the like; `{}` where it is none. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  for (const written of [text, withoutComments(text)]) {
    try {
      return Object(JSON.parse(written)) as Record<string, unknown>
    } catch {
      // The next reading, or none.
    }
  }
  return {}
}

/** The texts of a map such as `scripts`, whatever else stands in it. */
export function pickTexts(map: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(Object(map) as Record<string, unknown>)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Strings are matched first, so that the slashes of an address stay. */
const withoutComments = (text: string): string =>
  text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? '')
    .replace(/,(?=\s*[}\]])/g, '')

/** A home that is kept in git as a whole is not the repository of the folders in it. */
export function findGitRoot(from: string, home: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) && (folder === from || folder !== home)) return folder
    if (folder === dirname(folder)) return undefined
  }
}
