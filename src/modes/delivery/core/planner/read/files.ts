const maxFiles = 50
const maxPathLength = 300

const extensions =
  'astro bash c cc cfg clj cpp cs css csv cts dart ejs env erb ex exs feature fish go gql gradle graphql h hbs hcl hpp hs html ini ipynb java jl js json json5 jsonc jsx kt kts less lock lua m md mdx mjs mk ml mts nix php pl plist proto ps1 py r rake rb rs rst sass scala scss sh sol sql svelte svg swift tf toml ts tsx txt vue xml yaml yml zig zsh'
const known = new Set(extensions.split(' '))
const name = /^[\p{L}\p{N}_@.+[\]-]{1,100}$/u

/** Finds paths in a line: any path in backticks, elsewhere only unmistakable ones. */
export function findFiles(raw: string): string[] {
  if (!raw.includes('/') && !raw.includes('`')) return []
  const parts = raw.split('`')
  return parts.flatMap((part, index) => {
    const marked = index % 2 === 1 && index < parts.length - 1
    if (marked) return parsePath(part, false)
    return part.includes('/')
      ? part.split(/[\s,;()<>"']+/).flatMap((word) => parsePath(word.replace(/[.:]+$/, ''), true))
      : []
  })
}

/** Finds paths in a `Files:` field, where every word is meant as a path. */
export const findFieldFiles = (raw: string): string[] =>
  raw
    .split(/[\s,;`()]+/)
    .map((word) => withoutLines(word.replace(/^(\*{1,3}|_(?!_))(.+)\1$/, '$2')))
    .flatMap((word) => (word.includes('/') || hasExtension(word) ? parsePath(word, false, true) : []))

/** `a.ts:10-30` is about some lines of `a.ts`. */
const withoutLines = (path: string): string => path.replace(/:[\d-]{1,20}$/, '')

const fileLabel = /^[*_]{0,3}[\p{L} ]{1,20}[*_]{0,3}:[*_]{0,3}\s{0,4}/u

/** Whether an entry of a list names a file first: `a.ts`, `Create: a.ts`, but not "Write it in a.ts". */
export function startsWithPath(raw: string): boolean {
  const entry = raw.replace(fileLabel, '')
  const first = entry.startsWith('`') ? entry.slice(1).split('`', 1)[0]! : entry.split(/[\s,;()]/, 1)[0]!
  return (first.includes('/') || hasExtension(first)) && parsePath(withoutLines(first), false, true).length > 0
}

export const firstFiles = (files: readonly string[]): string[] => [...new Set(files)].slice(0, maxFiles)

/** Accepts relative paths inside the repository. They are only hints and are never opened. */
function parsePath(text: string, bare: boolean, meant = false): string[] {
  const path = text.startsWith('./') ? text.slice(2) : text
  if (path.length === 0 || path.length > maxPathLength) return []
  const folder = path.endsWith('/')
  const parts = (folder ? path.slice(0, -1) : path).split('/')
  if (!parts.every((part) => name.test(part) && part !== '..' && part !== '.')) return []
  if (bare) return parts.length > 1 && hasExtension(parts.at(-1)!) ? [path] : []
  return meant || folder || hasExtension(parts.at(-1)!) ? [path] : []
}

function hasExtension(file: string): boolean {
  const dot = file.lastIndexOf('.')
  return dot > 0 && known.has(file.slice(dot + 1).toLowerCase())
}
