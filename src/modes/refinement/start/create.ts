import { randomUUID } from 'node:crypto'
import type { Ladder } from '../../../config/models/ladder.ts'
import type { Envelope } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Rubric } from '../../../contract/rubric.ts'
import type { Caps } from '../../../contract/values.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import { createRunId, formatRequest } from '../../../run/new-run.ts'
import { sealContent } from '../../../run/sealed-content.ts'
import { type PresetName, presets, type RefineConfig } from '../contract/config.ts'
import type { Brief, RefinementRequest } from '../contract/request.ts'

/** Everything needed to start a refinement. */
export type NewRefinement = {
  readonly name: string
  readonly brief: Brief
  readonly rubric: Rubric
  readonly rules: RefineConfig
  readonly ladder: Omit<Ladder, 'notices'>
  readonly localOnly: boolean
  /** Bounds in addition to those of the rules. */
  readonly caps: Pick<Caps, 'costUsd' | 'activeMs'>
  readonly origins: Readonly<Record<string, string>>
  readonly common: Pick<Envelope, 'sandbox' | 'env' | 'secrets' | 'notify' | 'bell'>
  readonly taskId?: string | undefined
  readonly correlationId?: string | undefined
  /** Default: the branch of the workspace. */
  readonly branch?: string | null | undefined
}

/** Creates a run in the store. Texts written by people are encrypted; the request only refers to them. */
export async function createRefinement(machine: Machine, wanted: NewRefinement): Promise<StoredRun> {
  const now = new Date()
  const branch = wanted.branch === undefined ? await findBranch(machine) : wanted.branch
  const { program, cwd } = machine.environment
  const entry = {
    id: createRunId(now),
    mode: 'refinement',
    name: wanted.name,
    workspace: cwd,
    created: now.toISOString(),
  }
  return machine.store.create({
    entry,
    listed: true,
    freeze: async (inner) => {
      const content = sealContent(inner, { run: entry.id, key: machine.keys({ make: true }).content })
      const request: RefinementRequest = {
        ...buildTerms(wanted),
        ...(wanted.brief.task === '' && { empty: true }),
        brief: await content.put('brief.json', JSON.stringify(wanted.brief)),
        rubric: await content.put('rubric.json', JSON.stringify(wanted.rubric)),
        branch,
      }
      const envelope: Envelope = {
        contract_version: 2,
        run_id: entry.id,
        mode: entry.mode,
        name: entry.name,
        workspace: entry.workspace,
        created: entry.created,
        invoked_as: program,
        durability: 'strict',
        ...wanted.common,
        caps: { ...buildCaps(wanted.rules), ...wanted.caps },
        origins: wanted.origins,
        with: request,
      }
      return { request: formatRequest(envelope) }
    },
  })
}

const buildTerms = ({ rules, ladder, localOnly, name, taskId, correlationId }: NewRefinement) => ({
  rules,
  ladder: ladder.ladder,
  start: ladder.start,
  escalateTo: ladder.escalateTo,
  failover: ladder.failover,
  judges: ladder.judges,
  localOnly,
  taskId: taskId ?? name,
  correlationId: correlationId ?? randomUUID(),
})

const maxInterruptions = 20

const buildCaps = ({ iterations, tokens, overheadTokens, escalations, waitMs }: RefineConfig): Caps => ({
  attemptsPerRun: iterations,
  tokens,
  overheadTokens,
  escalations,
  waitMs,
  interruptionsInARow: maxInterruptions,
})

/** Returns a preset with these changes. */
export function buildRules(preset: string, changes: Partial<RefineConfig> = {}): RefineConfig {
  const known = Object.hasOwn(presets, preset) ? presets[preset as PresetName] : undefined
  if (!known) throw new PawlError(2, `unknown preset ${preset}`, `Presets: ${Object.keys(presets).join(', ')}`)
  // A change that is undefined is none.
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...known, ...(Object.fromEntries(given) as Partial<RefineConfig>) }
}

export async function findBranch({ git, environment: { cwd } }: Machine): Promise<string | null> {
  return git.findWorkTree(cwd) === undefined ? null : ((await git.findBranch(cwd))?.slice(0, 200) ?? null)
}
