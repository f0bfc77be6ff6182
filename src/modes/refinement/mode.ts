import { z } from 'zod'
import { PawlError } from '../../contract/exit.ts'
import { cleanOutput } from '../../judging/text/clean-output.ts'
import { noLock } from '../../ports/locks.ts'
import type { Machine } from '../../run/machine.ts'
import { defineMode, type FactsOptions, type GivenChanges, type Mode } from '../../run/mode.ts'
import { foldRun } from '../../run/read-run.ts'
import type { Run } from '../../run/run.ts'
import { RefinementRequest } from './contract/request.ts'
import { refinementCaps } from './core/caps.ts'
import { eventData } from './core/event-data.ts'
import type { RefinementMemo } from './core/memo.ts'
import { refinementPolicy } from './core/policy.ts'
import { refinementReasons } from './core/reasons.ts'
import { refinementResult } from './core/result.ts'
import { findText } from './finish/find-text.ts'
import { readText } from './finish/result-text.ts'
import { createRefinementFacts, type RefinementFacts } from './show/report/facts.ts'
import { refinementShow } from './show/show.ts'

type RefinementMode = Mode<RefinementRequest, null, RefinementMemo, RefinementFacts>

/** Everything needed to fold a run's events. */
const folding: Pick<RefinementMode, 'data' | 'reasons' | 'policy'> = {
  data: eventData,
  reasons: refinementReasons,
  policy: ({ request, envelope }) => refinementPolicy(request, envelope.caps),
}

export const refinement = defineMode<RefinementRequest, null, RefinementMemo, RefinementFacts>({
  ...folding,
  name: 'refinement',
  request: RefinementRequest,
  // Always sealed, not only while the run waits for a person.
  sealedBy: ({ brief }) => brief,
  pauseMs: ({ rules }) => rules.pauseMs,
  load: async () => null,
  commands: ({ ladder }) => ({
    agents: ladder.flatMap(({ id: name, argv }) => (argv ? [{ name, argv }] : [])),
    checks: [],
    sends: ladder.flatMap(({ argv, label, provider, baseUrl }) =>
      argv ? [] : [`${label}${baseUrl === undefined ? '' : ` at ${baseUrl}`}, ${provider}`],
    ),
  }),
  resuming: {
    amend(request, given) {
      refuseChanges(given)
      return { request, changes: [], terms: null, anotherAgent: false }
    },
    caps: refinementCaps,
  },
  feedback: 'taken',
  // A missing model counts as one that does not answer: the next rung takes over.
  preflight: async () => {},
  // Several refinements may run in one workspace, so the lock of the run itself is enough.
  hold: async () => noLock,
  compose: async (run, _inputs, tools) => (await import('./compose.ts')).composeRefinement(run, tools),
  finish: async (...given) => (await import('./finish/finish.ts')).finishRefinement(...given),
  result: (run, _inputs, left, { exit }) => refinementResult(run.entry.id, run.current.request, left, exit),
  fork: async (...given) => (await import('./start/fork.ts')).forkRefinement(...given),
  facts: (run, _inputs, machine, options) => readFacts(run, machine, options),
  text: (run, _inputs, view) => readText(run, view),
  cleanText: cleanOutput,
  show: refinementShow,
})

const Changes = z.object({
  aiCmd: z.string().optional(),
  agent: z.string().optional(),
  model: z.string().optional(),
  until: z.string().optional(),
  context: z.array(z.string()).default([]),
})

/** Models, task and context are fixed when a refinement starts. Only its bounds can change. */
function refuseChanges({ flags }: GivenChanges): void {
  const { context, ...others } = Changes.parse(flags)
  if (context.length === 0 && Object.values(others).every((value) => value === undefined)) return
  throw new PawlError(
    2,
    'model and context of a refinement cannot be changed',
    (pawl) => `To try something else: ${pawl} fork. To raise bounds: --max-tokens, --max-iterations`,
  )
}

async function readFacts(
  run: Run<RefinementRequest>,
  machine: Machine,
  { view, standing, upTo }: FactsOptions<RefinementMemo>,
): Promise<RefinementFacts> {
  const { see, facts } = createRefinementFacts(run.current.request)
  await foldRun(folding, run, null, { onStep: see, ...(upTo !== undefined && { upTo }) })
  return facts({ id: run.entry.id, view, standing, text: await findText(run, view, machine) })
}
