import { Rubric } from '../../contract/rubric.ts'
import type { Ref } from '../../contract/values.ts'
import { Calibration } from '../../judging/scoring/score-data.ts'
import type { Keys } from '../../ports/keys.ts'
import type { Model } from '../../ports/model.ts'
import type { RunTools } from '../../run/machine.ts'
import type { Composed } from '../../run/mode.ts'
import type { Run } from '../../run/run.ts'
import { Brief, type RefinementRequest } from './contract/request.ts'
import type { RefinementMemo } from './core/memo.ts'
import { openSapLog } from './sap/sap-log.ts'
import { joinProjections, projectState } from './state-document.ts'
import { keepRecent } from './work/recent-content.ts'
import type { RefinementTools } from './work/tools.ts'
import { refinementWork } from './work/work.ts'

/** Builds the work of a refinement and its log. A library run without a workspace has no log. */
export async function composeRefinement(
  run: Run<RefinementRequest>,
  tools: RunTools,
): Promise<Composed<RefinementMemo>> {
  const { request } = run.current
  // Read on first use: a run can be ended without keys.
  let loaded: Keys | undefined
  const keys = (): Keys => (loaded ??= tools.keys({ make: false }))
  const work = refinementWork({
    ...openTexts(request, keepRecent(tools.content)),
    request,
    modelOf: openLadder(request, run.entry.id, tools),
    estimateTokens: tools.estimateTokens,
    markOf: (text) => keys().markOf(text),
    elapsed: () => tools.clock.elapsed(),
    calibrations: openCalibrations(tools),
    onProgress: tools.onProgress,
  })
  const state = projectState(run)
  if (tools.workspace === '') return { work, projection: state }
  const log = await openSapLog({
    machine: tools,
    stored: run.stored,
    workspace: tools.workspace,
    request,
    pseudonymOf: (text) => keys().pseudonymOf(text),
    job: tools.job,
    onNotice: tools.onNotice,
  })
  return { work, projection: joinProjections(log, state) }
}

/** Opens each rung once, on first use. */
function openLadder(
  { ladder }: Pick<RefinementRequest, 'ladder'>,
  run: string,
  { models, shell, clock }: Pick<RunTools, 'models' | 'shell' | 'clock'>,
): (rung: string) => Model {
  const open = new Map<string, Model>()
  return (id) => {
    const rung = ladder.find((one) => one.id === id)!
    const model = open.get(id) ?? models.open(rung, { run, shell, now: () => clock.now() })
    open.set(id, model)
    return model
  }
}

/** Calibrations shared by all runs of this person. A lost one costs a dozen calls. */
const openCalibrations = ({ shared }: Pick<RunTools, 'shared'>): RefinementTools['calibrations'] => ({
  get: async (id) => Calibration.safeParse(await shared.get('calibrations', id)).data,
  put: (id, calibration) => shared.put('calibrations', id, calibration),
})

/** Reads brief and rubric on first use. */
function openTexts(
  { brief, rubric }: { readonly brief: Ref; readonly rubric: Ref },
  content: RefinementTools['content'],
): Pick<RefinementTools, 'content' | 'brief' | 'rubric'> {
  const read = async (ref: Ref): Promise<unknown> => JSON.parse(new TextDecoder().decode(await content.get(ref)))
  let [theBrief, theRubric]: [Promise<Brief> | undefined, Promise<Rubric> | undefined] = [undefined, undefined]
  return {
    content,
    brief: () => (theBrief ??= read(brief).then((value) => Brief.parse(value))),
    rubric: () => (theRubric ??= read(rubric).then((value) => Rubric.parse(value))),
  }
}
