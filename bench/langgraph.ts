import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from './program.ts'

const dependencies = {
  '@langchain/core': '1.2.13',
  '@langchain/langgraph': '1.4.18',
  '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
  zod: '4.6.7',
}
// The checkpointer asks for version 12, which aborts Node 24.19 and later when a statement is garbage-collected.
const overrides = { 'better-sqlite3': '13.0.3' }

export const langGraphName = `LangGraph.js ${dependencies['@langchain/langgraph']}, sqlite`
const cache = join(root, 'node_modules', '.cache', 'pawl-bench', 'langgraph')

/** Returns a folder with LangGraph and its sqlite checkpointer, installed on first use, or why there is none. */
export function installLangGraph(): { readonly folder: string } | { readonly missing: string } {
  const folder = resolve(process.env.BENCH_LANGGRAPH ?? cache)
  if (loads(folder)) return { folder }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }))
  const install = ['install', '--no-audit', '--no-fund', '--no-package-lock']
  const { status } = spawnSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) return { missing: 'npm could not install it' }
  return loads(folder) ? { folder } : { missing: 'it is installed and does not load' }
}

/** Runs in a separate process, because native code may crash it. */
function loads(folder: string): boolean {
  const versions = JSON.stringify({ ...dependencies, ...overrides })
  const check = `
    for (const [name, version] of Object.entries(${versions}))
      if (require('./node_modules/' + name + '/package.json').version !== version) throw new Error(name)
    require('better-sqlite3')(':memory:').close()`
  return spawnSync(process.execPath, ['-e', check], { cwd: folder, stdio: 'ignore' }).status === 0
}
