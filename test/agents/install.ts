import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const agentNames = ['claude', 'codex', 'opencode'] as const
export type AgentName = (typeof agentNames)[number]

export const packages: Readonly<Record<AgentName, { readonly name: string; readonly version: string }>> = {
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.325' },
  codex: { name: '@openai/codex', version: '0.166.0' },
  opencode: { name: 'opencode-ai', version: '1.18.33' },
}

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'pawl-agents')

/** The programs of the real agents. They weigh a gigabyte, so nothing but this asks for them, and only once. */
export function installAgents(): Record<AgentName, string> {
  const dir = resolve(process.env.PAWL_AGENTS_DIR ?? cache)
  const missing = agentNames.filter((name) => installedVersion(dir, name) !== packages[name].version)
  if (missing.length > 0) install(dir)
  const programs = agentNames.map((name) => [name, join(dir, 'node_modules', '.bin', name)])
  return Object.fromEntries(programs) as Record<AgentName, string>
}

function install(dir: string): void {
  const wanted = agentNames.map((name) => packages[name])
  // Two of them put their program in place by an install script.
  const allowScripts = Object.fromEntries(wanted.map(({ name }) => [name, true]))
  const dependencies = Object.fromEntries(wanted.map(({ name, version }) => [name, version]))
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ private: true, allowScripts, dependencies }))
  const { status, error } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: dir, stdio: 'inherit' })
  if (error || status !== 0) throw new Error(`npm could not install the agents into ${dir}`, { cause: error })
}

function installedVersion(dir: string, name: AgentName): string | undefined {
  try {
    const manifest = readFileSync(join(dir, 'node_modules', packages[name].name, 'package.json'), 'utf8')
    return (JSON.parse(manifest) as { version: string }).version
  } catch {
    return undefined
  }
}
