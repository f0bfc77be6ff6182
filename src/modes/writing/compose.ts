import { dirname, join } from 'node:path'
import type { Rung } from '../../contract/models.ts'
import type { Left } from '../../kernel/policy.ts'
import type { Model } from '../../ports/model.ts'
import type { RunTools } from '../../run/machine.ts'
import type { Composed } from '../../run/mode.ts'
import type { Run } from '../../run/run.ts'
import type { WritingRequest } from './contract/request.ts'
import type { Inputs } from './core/inputs.ts'
import { findLevel } from './core/level/levels.ts'
import type { WritingMemo } from './core/memo.ts'
import { saveIteration } from './project/save.ts'
import { createRenderer } from './project/template-engine.ts'
import { writingWork } from './work/work.ts'

/** Builds the work of an iteration and its debug folder. */
export function composeWriting(run: Run<WritingRequest>, inputs: Inputs, tools: RunTools): Composed<WritingMemo> {
  const { request } = run.current
  const { base, brief } = inputs
  const folder = join(tools.workspace, request.folder)
  const debug = openDebugFolder(request, tools)
  const rungOf = (id: string): Rung => request.ladder.find((rung) => rung.id === id)!
  const work = writingWork({
    run: run.entry.id,
    request,
    brief,
    base,
    level: findLevel(base.type, request.target)!,
    rungOf,
    modelOf: openModels(rungOf, run.entry.id, tools),
    isRemote: (id) => !rungOf(id).local,
    content: tools.content,
    estimateTokens: tools.estimateTokens,
    render: createRenderer(base.templates),
    debug,
    save: (plan) => saveIteration(plan, { machine: tools, folder, run: run.entry.id }),
    onProgress: tools.onProgress,
  })
  return { work, projection: { onSaved: () => {}, onLeft: (left) => writeDecision(left, debug) } }
}

/** Opens each model once, on first use. */
function openModels(
  rungOf: (id: string) => Rung,
  run: string,
  { models, shell, clock }: Pick<RunTools, 'models' | 'shell' | 'clock'>,
): (id: string) => Model {
  const open = new Map<string, Model>()
  return (id) => {
    const model = open.get(id) ?? models.open(rungOf(id), { run, shell, now: () => clock.now() })
    open.set(id, model)
    return model
  }
}

/** Every attempt, verdict and decision is kept for people who want to know why. A full disk does not stop the iteration. */
function openDebugFolder(
  { debug }: Pick<WritingRequest, 'debug'>,
  { files, workspace, onNotice }: Pick<RunTools, 'files' | 'workspace' | 'onNotice'>,
): (name: string, text: string) => void {
  const folder = join(workspace, debug)
  let isTold = false
  return (name, text) => {
    try {
      files.makeFolder(folder)
      files.write(join(dirname(dirname(folder)), '.gitignore'), '*\n')
      files.write(join(folder, name), text)
    } catch (error) {
      if (!isTold) onNotice(`the debug files cannot be written: ${(error as Error).message}`)
      isTold = true
    }
  }
}

/** `user_decision.txt`: accepted, accepted n of m changes, or rejected. */
function writeDecision(
  { view: { state, memo } }: Left<WritingMemo>,
  debug: (name: string, text: string) => void,
): void {
  const reason = state.ended?.reason.code
  if (reason === 'rejected' || reason === 'aborted') debug('user_decision.txt', 'rejected\n')
  if (reason !== 'accepted') return
  const some = `accepted ${memo.picks.length} of ${memo.changes} changes\n`
  debug('user_decision.txt', memo.accepted === 'some' ? some : 'accepted\n')
}
