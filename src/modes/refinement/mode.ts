import { keepRecent } from '../../adapters/stores/files/recent.ts'
import { estimateTokens } from '../../adapters/tokens/estimate.ts'
import type { RefinementRun } from '../../contract/request.ts'
import { Rubric } from '../../contract/rubric.ts'
import type { Ref } from '../../contract/values.ts'
import { openCalibrations } from '../../machine/calibrations.ts'
import { createModel } from '../../machine/create-model.ts'
import { type Keys, openKeys } from '../../machine/keys.ts'
import type { Artifacts } from '../../ports/artifacts.ts'
import type { Model } from '../../ports/model.ts'
import { type Composed, defineMode, type Tools } from '../../run/mode.ts'
import { eventsOf } from '../../run/read-run.ts'
import { Brief } from './contract/request.ts'
import type { RefinementMemo } from './core/memo.ts'
import { refinementPolicy } from './core/policy.ts'
import { refinementReasons } from './core/reasons.ts'
import { refinementResult } from './core/result.ts'
import { openSapLog } from './sap/sap-log.ts'
import type { RefinementTools } from './work/tools.ts'
import { refinementWork } from './work/work.ts'

export const refinement = defineMode<RefinementRun, RefinementMemo>({
  name: 'refinement',
  reasons: refinementReasons,
  feedback: 'taken',
  // Always sealed, not only while it waits for somebody.
  sealedBy: ({ refinement: { brief } }) => brief,
  commands: ({ refinement: { ladder } }) => ({
    agents: ladder.flatMap(({ id: name, argv }) => (argv ? [{ name, argv }] : [])),
    checks: [],
    sends: ladder.flatMap(({ argv, label, provider, baseUrl }) =>
      argv ? [] : [`${label}${baseUrl === undefined ? '' : ` at ${baseUrl}`}, ${provider}`],
    ),
  }),
  // A rung that is not there is one that does not answer: the next one does.
  preflight: () => {},
  // Many texts may be refined at once; whoever holds the run itself is enough.
  hold: async () => ({ release: () => {} }),
  policy: ({ refinement, caps }) => refinementPolicy(refinement, caps),
  compose: composeRefinement,
})

export function composeRefinement(_original: RefinementRun, tools: Tools<RefinementRun>): Composed<RefinementMemo> {
  const { place, current: request, dir, artifacts, shell, onProgress } = tools
  const { refinement, run_id: run } = request
  // Whoever only ends it may have none.
  let known: Keys | undefined
  const keys = (): Keys => (known ??= openKeys(place, { make: false }))
  const modelOf = modelsOf(refinement, { env: place.env, now: Date.now, estimateTokens, run, shell }, tools.models)
  const work = refinementWork({
    ...contentOf(refinement, keepRecent(artifacts)),
    request: refinement,
    modelOf,
    estimateTokens,
    markOf: (text) => keys().markOf(text),
    elapsed: () => performance.now(),
    calibrations: openCalibrations(place),
    onProgress,
  })
  return {
    work,
    projection: openSapLog({
      place,
      run,
      history: () => eventsOf(dir),
      workspace: request.workspace,
      refinement,
      pseudonymOf: (text) => keys().pseudonymOf(text),
      onNotice: tools.onNotice,
    }),
    resultOf: (left, signal) => refinementResult(request, left, signal),
  }
}

/** Each rung is opened when it is first asked, and once. */
export function modelsOf(
  { ladder }: Pick<RefinementRun['refinement'], 'ladder'>,
  tools: Parameters<typeof createModel>[1],
  own: Readonly<Record<string, Model>> = {},
): (rung: string) => Model {
  const open = new Map(Object.entries(own))
  return (id) => {
    const model = open.get(id) ?? createModel(ladder.find((rung) => rung.id === id)!, tools)
    open.set(id, model)
    return model
  }
}

/** What people wrote, read when it is needed and no sooner. */
export function contentOf(
  { brief, rubric }: { brief: Ref; rubric: Ref },
  content: Pick<Artifacts, 'put' | 'get'>,
): Pick<RefinementTools, 'content' | 'brief' | 'rubric'> {
  const read = async (ref: Ref): Promise<unknown> => JSON.parse(new TextDecoder().decode(await content.get(ref)))
  let [theBrief, theRubric]: [Promise<Brief> | undefined, Promise<Rubric> | undefined] = [undefined, undefined]
  return {
    content,
    brief: () => (theBrief ??= read(brief).then((value) => Brief.parse(value))),
    rubric: () => (theRubric ??= read(rubric).then((value) => Rubric.parse(value))),
  }
}
