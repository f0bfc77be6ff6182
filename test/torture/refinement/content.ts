import type { Ref } from '../../../src/contract/values.ts'
import type { RefinementRequest } from '../../../src/modes/refinement/contract/request.ts'
import type { RefinementMemo } from '../../../src/modes/refinement/core/memo.ts'
import type { Mode } from '../../../src/run/mode.ts'
import { openRun } from '../../../src/run/open-run.ts'
import type { Run } from '../../../src/run/run.ts'
import { type RunFolder, runAt } from '../../support/runs.ts'
import type { Stage } from './stage.ts'

type Opened = {
  readonly mode: Mode<RefinementRequest, null, RefinementMemo, unknown>
  readonly run: Run<RefinementRequest>
}

/** As its person opens it: with the key. */
export async function openRefinement({ program }: Stage, { dir }: RunFolder): Promise<Opened> {
  const open = await openRun(program, await runAt(dir, program))
  return open.use((mode, run) => ({ mode, run }) as unknown as Opened)
}

export async function contentOf(stage: Stage, folder: RunFolder): Promise<(ref: Ref) => Promise<string>> {
  const { run } = await openRefinement(stage, folder)
  return async (ref) => new TextDecoder().decode(await run.content.get(ref))
}

/** Every answer of the server carries its number. */
export const numberIn = (text: string): number => Number(/reply"?:? ?(\d+)/i.exec(text)?.[1])
