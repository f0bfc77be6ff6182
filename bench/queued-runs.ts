import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMachine } from '../src/machine/open-machine.ts'
import { createRefinement } from '../src/modes/refinement/start/create.ts'
import type { NewTurn } from '../src/ports/queue.ts'
import { toQueuedMachine } from '../src/run/queue/queued-machine.ts'
import { task } from './instant-model.ts'
import { openStoreAt } from './postgres.ts'
import { buildRefinement, rung } from './refine-loop.ts'

/** Accepts the first draft: a plan, a draft and a judgement, so a run has three calls. */
const script = {
  model: [
    {
      when: ['You plan work.'],
      again: true,
      reply: JSON.stringify({ phases: [{ title: 'Explanation', aim: 'A colleague can follow it.' }] }),
    },
    {
      when: ['You judge a text strictly'],
      again: true,
      reply: JSON.stringify({
        evidence: [],
        findings: [],
        scores: { relevance: 90, accuracy: 90, completeness: 90 },
        confidence: 0.9,
      }),
    },
    { again: true, reply: `${task} The journal is read to its end, and the step that was open is made again.` },
  ].map((step) => ({ ...step, tokens: 50, cost_usd: 0 })),
}

/** Creates runs for workers. They are not in the queue yet, so that a worker does not begin before all are there. */
export async function createRuns(
  url: string,
  env: Readonly<Record<string, string>>,
  workspace: string,
  count: number,
): Promise<NewTurn[]> {
  const path = join(workspace, 'model.yml')
  writeFileSync(path, JSON.stringify(script))
  const { sql, store } = openStoreAt(url, workspace)
  const stateFolder = join(workspace, 'state')
  const environment = { program: 'pawl', cwd: workspace, home: workspace, env, folder: '.pawl', stateFolder } as const
  const local = openMachine(environment, { modes: [], store })
  const machine = toQueuedMachine({ ...local, database: { ...local.database!, store } })
  const wanted = buildRefinement({ ...rung, baseUrl: path })
  const turns: NewTurn[] = []
  let begun = 0
  const lane = async (): Promise<void> => {
    while (begun < count) {
      begun++
      // Two ids of one second may be the same; the next try has another one.
      const made = await createRefinement(machine, wanted).catch(() => undefined)
      if (made) turns.push({ run: made.entry.id, mode: made.entry.mode })
      else begun--
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  await sql.close()
  return turns
}
