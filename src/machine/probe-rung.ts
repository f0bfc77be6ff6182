import { isAgentName } from '../adapters/agents/dialects.ts'
import { knownAgents } from '../adapters/agents/known.ts'
import { probeHttpRung, type RungProbe } from '../adapters/models/probe.ts'
import { readScript } from '../adapters/scripted/script.ts'
import type { Rung } from '../contract/models.ts'
import { findProgram } from './ask-program.ts'

export type ProbeTools = { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string }

/** Checks within 3 s whether a rung would answer. Sends no user data. Contract: never rejects. */
export async function probeRung(rung: Rung, { env, cwd }: ProbeTools, signal: AbortSignal): Promise<RungProbe> {
  switch (rung.provider) {
    case 'agent':
      return probeProgram(rung, env.PATH ?? '', cwd)
    case 'scripted':
      return probeScript(rung.baseUrl ?? '')
    case 'ollama':
    case 'xai':
    case 'anthropic':
    case 'openai-compatible':
      return probeHttpRung(rung, env, signal)
  }
}

/** Does not check the login: only a call would show that. */
function probeProgram({ argv: [program] = [''] }: Rung, path: string, cwd: string): RungProbe {
  const found = findProgram(program, cwd, path)
  if (found) return { ok: true, says: `is installed: ${found}` }
  const hint = isAgentName(program) ? knownAgents[program].install : 'check its entry in your config'
  return { ok: false, says: `no such program: ${program}`, hint }
}

function probeScript(path: string): RungProbe {
  try {
    readScript(path)
    return { ok: true, says: `plays ${path}` }
  } catch (error) {
    return { ok: false, says: (error as Error).message.split('\n', 1)[0]! }
  }
}
