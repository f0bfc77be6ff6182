import { randomUUID } from 'node:crypto'
import type { Ladder } from '../../../config/models/ladder.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { RefinementRun, RunRequest } from '../../../contract/request.ts'
import type { Rubric } from '../../../contract/rubric.ts'
import type { Caps } from '../../../contract/values.ts'
import { askProgram } from '../../../machine/ask-program.ts'
import { openContent } from '../../../run/open-content.ts'
import type { Place } from '../../../run/paths.ts'
import { newRunId } from '../../../run/request.ts'
import { createRunWith } from '../../../run/start-run.ts'
import { type PresetName, presets, type RefineConfig } from '../contract/config.ts'
import type { Brief } from '../contract/request.ts'

export type Wish = {
  readonly name: string
  readonly brief: Brief
  readonly rubric: Rubric
  readonly rules: RefineConfig
  readonly ladder: Omit<Ladder, 'notices'>
  readonly localOnly: boolean
  /** Bounds beside those of the rules. */
  readonly caps: Pick<Caps, 'costUsd' | 'activeMs' | 'waitMs'>
  readonly origins: Readonly<Record<string, string>>
  readonly common: Pick<RunRequest, 'sandbox' | 'env' | 'secrets' | 'notify' | 'bell'>
  readonly taskId?: string | undefined
  readonly correlationId?: string | undefined
  readonly branch?: string | null | undefined
  readonly parent?: { readonly run: string; readonly seq: number } | undefined
}

/** What people wrote is sealed first; the request only names it. */
export async function startRefinement(
  place: Place,
  wish: Wish,
): Promise<{ readonly id: string; readonly dir: string; readonly name: string }> {
  const id = newRunId(new Date())
  const branch = wish.branch === undefined ? await branchAt(place) : wish.branch
  const dir = await createRunWith(place, id, async (folder) => {
    const content = openContent(place, folder, { run: id, sealed: true, isNew: true })
    const brief = await content.put('brief.json', JSON.stringify(wish.brief))
    const rubric = await content.put('rubric.json', JSON.stringify(wish.rubric))
    await content.flush()
    return requestOf(place, id, { ...wish, branch }, { brief, rubric })
  })
  return { id, dir, name: wish.name }
}

export function requestOf(
  place: Pick<Place, 'cwd' | 'name'>,
  id: string,
  wish: Wish & { readonly branch: string | null },
  content: Pick<RefinementRun['refinement'], 'brief' | 'rubric'>,
): RefinementRun {
  const { rules, ladder, localOnly, common, parent } = wish
  return {
    contract_version: 1,
    run_id: id,
    mode: 'refinement',
    name: wish.name,
    workspace: place.cwd,
    created: new Date().toISOString(),
    invoked_as: place.name,
    durability: 'strict',
    ...common,
    caps: { ...capsOf(rules), ...wish.caps },
    origins: wish.origins,
    refinement: {
      rules,
      ladder: ladder.ladder,
      start: ladder.start,
      escalateTo: ladder.escalateTo,
      failover: ladder.failover,
      judges: ladder.judges,
      localOnly,
      ...content,
      taskId: wish.taskId ?? wish.name,
      correlationId: wish.correlationId ?? randomUUID(),
      branch: wish.branch,
      ...(parent && { parent }),
    },
  }
}

const mostInterruptions = 20

const capsOf = ({ iterations, tokens, overheadTokens, escalations, waitMs }: RefineConfig): Caps => ({
  attemptsPerRun: iterations,
  tokens,
  overheadTokens,
  escalations,
  waitMs,
  interruptionsInARow: mostInterruptions,
})

/** A preset with what a person said otherwise. */
export function rulesOf(preset: string, changes: Partial<RefineConfig> = {}): RefineConfig {
  const known = Object.hasOwn(presets, preset) ? presets[preset as PresetName] : undefined
  if (!known) throw new PawlError(2, `no preset is called ${preset}`, `There are: ${Object.keys(presets).join(', ')}`)
  return { ...known, ...changes }
}

async function branchAt(place: Place): Promise<string | null> {
  const { status, text } = await askProgram(place, ['git', 'symbolic-ref', '--quiet', '--short', 'HEAD'], {
    cwd: place.cwd,
  })
  return status === 'answered' && text !== '' ? text.slice(0, 200) : null
}
