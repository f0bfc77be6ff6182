import { basename, extname } from 'node:path'

const longest = 64

/** What a run is called: as its file, in letters that fit a name. */
export function runNameOf(path: string | undefined): string {
  if (path === undefined) return usual
  const slug = basename(path, extname(path))
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longest)
    .replace(/-$/, '')
  return slug || usual
}
const usual = 'refine'
