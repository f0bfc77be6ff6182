import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const agentNames = ['claude', 'codex', 'opencode'] as const
export type AgentName = (typeof agentNames)[number]

/** The version that the suite of the real agents runs. Recordings also exist of older ones. */
export const packages: Readonly<Record<AgentName, { readonly name: string; readonly version: string }>> = {
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.325' },
  codex: { name: '@openai/codex', version: '0.166.0' },
  opencode: { name: 'opencode-ai', version: '1.18.33' },
}

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'pawl-agents')

/** The programs of the real agents. They weigh a gigabyte, so nothing but this asks for them, and only once. */
export function installAgents(): Record<AgentName, string> {
  const programs = agentNames.map((name) => [name, installAgent(name, packages[name].version)])
  return Object.fromEntries(programs) as Record<AgentName, string>
}

/** One version of an agent, in a folder of its own. Returns the program. */
export function installAgent(name: AgentName, version: string): string {
  const dir = join(resolve(process.env.PAWL_AGENTS_DIR ?? cache), `${name}@${version}`)
  if (installedVersion(dir, name) !== version) install(dir, packages[name].name, version)
  return join(dir, 'node_modules', '.bin', name)
}

function install(dir: string, name: string, version: string): void {
  mkdirSync(dir, { recursive: true })
  // Some put their program in place by an install script.
  const manifest = { private: true, allowScripts: { [name]: true }, dependencies: { [name]: version } }
  writeFileSync(join(dir, 'package.json'), JSON.stringify(manifest))
  const { status, error } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: dir, stdio: 'inherit' })
  if (error || status !== 0) throw new Error(`npm could not install ${name} ${version} into ${dir}`, { cause: error })
}

function installedVersion(dir: string, name: AgentName): string | undefined {
  try {
    const manifest = readFileSync(join(dir, 'node_modules', packages[name].name, 'package.json'), 'utf8')
    return (JSON.parse(manifest) as { version: string }).version
  } catch {
    return undefined
  }
}
