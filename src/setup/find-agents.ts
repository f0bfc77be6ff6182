import { statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { AgentName } from '../adapters/agents/dialects.ts'
import { type KnownAgent, knownAgents, type LoginFile } from '../adapters/agents/known.ts'
import { askProgram, findProgram } from '../machine/ask-program.ts'
import type { Environment } from '../run/machine.ts'

export type FoundAgent = {
  readonly name: AgentName
  readonly path: string | null
  readonly version: string | null
  /** Why the program did not report a version. */
  readonly problem: string | null
  /** `by` is the name of a file or variable, never its content. */
  readonly login: { readonly status: 'yes' | 'no' | 'unknown'; readonly by: string | null }
}

/** Looks for all known agents in parallel. Contract: runs only `--version`, never hangs, never rejects because of an agent. */
export function findAgents(environment: Environment, boundMs?: number): Promise<readonly FoundAgent[]> {
  return Promise.all(agentNames.map((name) => findAgent(environment, name, boundMs)))
}

const agentNames = Object.keys(knownAgents) as readonly AgentName[]

/** Picks an agent that responds, preferably logged in. Among equals, the first one of the table. */
export function bestAgent(found: readonly FoundAgent[]): FoundAgent | undefined {
  const working = found.filter(({ version }) => version !== null)
  const byLogin = (status: FoundAgent['login']['status']) => working.find(({ login }) => login.status === status)
  return byLogin('yes') ?? byLogin('unknown') ?? byLogin('no')
}

async function findAgent(environment: Environment, name: AgentName, boundMs?: number): Promise<FoundAgent> {
  const known = knownAgents[name]
  const path = findProgram(known.program, environment.cwd, environment.env.PATH ?? '') ?? null
  const facts = { name, path, login: findLogin(environment, known) }
  if (path === null) return { ...facts, version: null, problem: null }
  const answer = await askProgram(environment, [path, ...known.versionArgs], boundMs === undefined ? {} : { boundMs })
  if (answer.status !== 'answered') return { ...facts, version: null, problem: answer.problem }
  return { ...facts, version: parseVersion(answer.text), problem: null }
}

function findLogin(environment: Environment, { login }: KnownAgent): FoundAgent['login'] {
  const variable = login.variables.find((name) => environment.env[name])
  if (variable) return { status: 'yes', by: variable }
  const file = login.files.map((one) => resolveLoginFile(environment, one)).find(hasContent)
  if (file) return { status: 'yes', by: file }
  const hidden = login.elsewhere === 'macos-keychain' ? process.platform === 'darwin' : login.elsewhere !== 'nowhere'
  return { status: hidden ? 'unknown' : 'no', by: null }
}

function resolveLoginFile({ env, home }: Environment, { variable, folder, path }: LoginFile): string {
  const named = env[variable]
  return join(named && isAbsolute(named) ? named : join(home, folder), path)
}

/** Logging out may leave `{}` in the file. */
function hasContent(path: string): boolean {
  try {
    const found = statSync(path)
    return found.isFile() && found.size > 4
  } catch {
    return false
  }
}

function parseVersion(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return /\d+\.\d+[0-9A-Za-z.+-]*/.exec(line)?.[0] ?? (line.slice(0, 40) || 'unknown')
}
