import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createHome, createPlace, type Place } from './place.ts'
import type { Recipe, Variant } from './recipe.ts'

export type Made = { readonly place: Place } | { readonly skipped: string }

/**
 * Creates the repository of a recipe below `root`, with a first commit. What a generator made is kept in a
 * cache under the recipe's content, because downloads take minutes.
 */
export function makeRepository(recipe: Recipe, root: string): Made {
  createHome(root)
  const place = createPlace(root, join(root, 'repo'), recipe.env)
  const missing = recipe.needs.filter((name) => !isInstalled(name, place.env.PATH!))
  if (missing.length > 0) return { skipped: `not installed: ${missing.join(', ')}` }
  const folder = join(cacheFolder, `${recipe.name}-${hash(JSON.stringify(recipe.make))}`)
  if (!fs.existsSync(join(folder, 'done'))) {
    const problem = generate(recipe, folder)
    if (problem !== undefined) return { skipped: problem }
  }
  // Copies links as they are: package managers make them.
  place.sh(`cp -a --reflink=auto '${join(folder, 'repo')}' '${place.repo}'`, root)
  const tools = join(folder, 'tools', 'node_modules', '.bin')
  if (fs.existsSync(tools)) place.env.PATH = `${tools}${delimiter}${place.env.PATH}`
  if (!fs.existsSync(place.at('.git'))) place.git('init', '--quiet')
  place.git('add', '--all')
  place.git('commit', '--quiet', '--message', 'Generated')
  return { place }
}

/** Outside the project and the user's home. */
const cacheFolder = join(tmpdir(), 'pawl-repositories')

function generate(recipe: Recipe, folder: string): string | undefined {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  createHome(folder)
  // A generator may need the certificates and proxies of the real user.
  const outside = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|PATH$|HOME$|XDG_)/i.test(name)),
  )
  const env = { ...outside, npm_config_cache: join(cacheFolder, 'npm'), npm_config_yes: 'true', CI: '1', ...recipe.env }
  const { sh } = createPlace(folder, folder, env)
  const { code, out, err } = sh(['set -e', ...recipe.make].join('\n'))
  if (code === 0) fs.writeFileSync(join(folder, 'done'), '')
  else fs.writeFileSync(join(folder, 'failed'), `${out}\n${err}`)
  return code === 0 ? undefined : `the generator failed: ${lastLine(err) || lastLine(out)}`
}

/** Creates the repository of a variant. Nothing is downloaded, so nothing is kept. */
export function makeVariant({ make, folder = 'repo', cwd = '.', env }: Variant, root: string): Made {
  createHome(root)
  const place = createPlace(root, join(root, folder), env, join(root, folder, cwd))
  const { code, err } = place.sh(['set -e', ...make].join('\n'), root)
  return code === 0 ? { place } : { skipped: lastLine(err) }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

const isInstalled = (program: string, path: string): boolean =>
  path.split(delimiter).some((folder) => fs.existsSync(join(folder, program)))
