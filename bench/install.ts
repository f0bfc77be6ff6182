import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from './program.ts'

export type Installed = { readonly folder: string } | { readonly missing: string }

type Wanted = {
  /** The folder in our cache, unless `given` names another one. */
  readonly name: string
  readonly given: string | undefined
  readonly dependencies: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, string>>
  /** JavaScript that throws if the packages do not work. */
  readonly check: string
}

/** Returns a folder with other people's packages, installed on first use, or why there is none. */
export function installPackages(wanted: Wanted): Installed {
  const { name, given, dependencies, overrides = {} } = wanted
  const folder = resolve(given ?? join(root, 'node_modules', '.cache', 'pawl-bench', name))
  if (loads(folder, wanted)) return { folder }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }))
  const install = ['install', '--no-audit', '--no-fund', '--no-package-lock']
  const { status } = spawnSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) return { missing: 'npm could not install it' }
  return loads(folder, wanted) ? { folder } : { missing: 'it is installed and does not load' }
}

/** Runs in a separate process, because native code may crash it. */
function loads(folder: string, { dependencies, overrides, check }: Wanted): boolean {
  const versions = JSON.stringify({ ...dependencies, ...overrides })
  const script = `
    const { readFileSync } = require('node:fs')
    for (const [name, version] of Object.entries(${versions})) {
      const manifest = readFileSync('./node_modules/' + name + '/package.json', 'utf8')
      if (JSON.parse(manifest).version !== version) throw new Error(name)
    }
    ${check}`
  return spawnSync(process.execPath, ['-e', script], { cwd: folder, stdio: 'ignore' }).status === 0
}
