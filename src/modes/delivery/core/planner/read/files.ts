const mostFiles = 50
const longestPath = 300

const extensions =
  'astro bash c cc cfg clj cpp cs css csv cts dart ejs env erb ex exs feature fish go gql gradle graphql h hbs hcl hpp hs html ini ipynb java jl js json json5 jsonc jsx kt kts less lock lua m md mdx mjs mk ml mts nix php pl plist proto ps1 py r rake rb rs rst sass scala scss sh sol sql svelte svg swift tf toml ts tsx txt vue xml yaml yml zig zsh'
const known = new Set(extensions.split(' '))
const name = /^[\p{L}\p{N}_@.+[\]-]{1,100}$/u

/** Paths that a line names: any path in code marks, elsewhere only what cannot be anything else. */
export function findFiles(raw: string): string[] {
  if (!raw.includes('/') && !raw.includes('`')) return []
  const parts = raw.split('`')
  return parts.flatMap((part, index) => {
    const marked = index % 2 === 1 && index < parts.length - 1
    if (marked) return asPath(part, false)
    return part.includes('/')
      ? part.split(/[\s,;()<>"']+/).flatMap((word) => asPath(word.replace(/[.:]+$/, ''), true))
      : []
  })
}

/** Everything in a `Files:` field is meant as a path. */
export const findFieldFiles = (raw: string): string[] =>
  raw.split(/[\s,;`()]+/).flatMap((word) => (word.includes('/') || hasExtension(word) ? asPath(word, false, true) : []))

export const firstFiles = (files: readonly string[]): string[] => [...new Set(files)].slice(0, mostFiles)

/** Relative, inside the repository, and looking like a path; what a PRD names is a hint and never opened as such. */
function asPath(text: string, bare: boolean, meant = false): string[] {
  const path = text.startsWith('./') ? text.slice(2) : text
  if (path.length === 0 || path.length > longestPath) return []
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
