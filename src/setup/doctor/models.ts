import { retirements } from '../../adapters/models/known.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { resolveRungs } from '../../config/models/rungs.ts'
import { ConfigError } from '../../config/problem.ts'
import { PawlError } from '../../contract/exit.ts'
import type { Rung } from '../../contract/models.ts'
import type { Machine, ModelProbe } from '../../run/machine.ts'
import type { Finding } from './finding.ts'

/** Checks which models of the ladder respond. In parallel, within 3 s; only asks each server for its list of models. */
export async function modelFindings(machine: Machine, today = new Date()): Promise<readonly Finding[]> {
  const ladder = await readLadder(machine)
  if (!('rungs' in ladder)) return ladder.findings
  const { rungs, chosen } = ladder
  const probes = await Promise.all(rungs.map((rung) => machine.models.probe(rung, never)))
  const alone = rungs.length === 1
  return rungs.map((rung, index) => toFinding(rung, probes[index]!, { alone, chosen, today }))
}

const never = new AbortController().signal

type LadderRead =
  | { readonly rungs: readonly Rung[]; readonly chosen: boolean }
  | { readonly findings: readonly Finding[] }

async function readLadder(machine: Machine): Promise<LadderRead> {
  try {
    const { value, origin } = (await loadSettings(machine)).effective('ladder')
    const { environment, models, agents } = machine
    const catalog = { ...models, agents: agents.names, folder: environment.cwd }
    return { rungs: resolveRungs(value, catalog), chosen: origin.tier !== 'built-in' }
  } catch (error) {
    // The configuration check reports an invalid configuration.
    if (error instanceof ConfigError) return { findings: [] }
    if (!(error instanceof PawlError)) throw error
    const fix = error.hintFor(machine.environment) ?? 'correct ladder in your config.yml'
    return { findings: [{ check: 'models', status: 'fail', says: error.message, fix }] }
  }
}

type About = { readonly alone: boolean; readonly chosen: boolean; readonly today: Date }

function toFinding(rung: Rung, { ok, says: told, hint }: ModelProbe, { alone, chosen, today }: About): Finding {
  const check = `model ${rung.id}`
  const says = `${rung.label}: ${told}`
  const fix = hint === undefined ? {} : { fix: hint }
  if (ok) return { check, status: isRetired(rung, today) ? 'weak' : 'ok', says, ...fix }
  // The default model is not a problem for people who never use `refine`.
  if (!chosen) return { check, status: 'absent', says: `${says}; needed only for the command refine`, ...fix }
  return { check, status: alone ? 'fail' : 'weak', says, fix: hint ?? 'see ladder in your config.yml' }
}

function isRetired({ model }: Rung, today: Date): boolean {
  const { on } = retirements[model] ?? {}
  return on !== undefined && on <= today.toISOString().slice(0, 10)
}
