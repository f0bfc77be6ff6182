import { PawlError } from '../../contract/exit.ts'
import type { Ref } from '../../contract/values.ts'
import { defineMode } from '../../run/mode.ts'
import { Base, Brief, WritingRequest } from './contract/request.ts'
import { eventData } from './core/event-data.ts'
import type { Inputs } from './core/inputs.ts'
import type { WritingMemo } from './core/memo.ts'
import { writingPolicy } from './core/policy.ts'
import { writingReasons } from './core/reasons.ts'
import { writingResult } from './core/result.ts'
import { readWritingFacts } from './facts.ts'
import { type WritingFacts, writingShow } from './show/show.ts'

/** Revises a level of a written work from plain feedback (seed 003). One run is one iteration. */
export const writing = defineMode<WritingRequest, Inputs, WritingMemo, WritingFacts>({
  name: 'writing',
  request: WritingRequest,
  data: eventData,
  reasons: writingReasons,
  // The texts are in the person's own folder, unencrypted, and so are the runs.
  sealedBy: () => undefined,
  load: async ({ original, content }) => {
    const read = async (ref: Ref): Promise<unknown> => JSON.parse(new TextDecoder().decode(await content.get(ref)))
    const { base, brief } = original.request
    return { base: Base.parse(await read(base)), brief: Brief.parse(await read(brief)) }
  },
  policy: ({ request, envelope }) => writingPolicy(request, envelope.caps),
  commands: ({ ladder }) => ({
    agents: ladder.flatMap(({ id: name, argv }) => (argv ? [{ name, argv }] : [])),
    checks: [],
    sends: ladder.flatMap(({ argv, label, provider }) => (argv ? [] : [`${label}, ${provider}`])),
  }),
  resuming: {
    amend: (request, { flags }) => {
      const given = ['agent', 'aiCmd', 'model', 'until'].find((name) => flags[name] !== undefined)
      if (given !== undefined)
        throw new PawlError(
          2,
          `--${given} cannot be changed in a running iteration`,
          'Abort it and give the feedback again.',
        )
      return { request, changes: [], terms: null, anotherAgent: false }
    },
    caps: ({ tasks, ...caps }) => (tasks === undefined ? caps : { ...caps, attemptsPerRun: tasks }),
  },
  feedback: { instead: 'Answer its question with edit and a text, or give new feedback when it has ended.' },
  preflight: async () => {},
  hold: async (...given) => (await import('./start/lock.ts')).lockProject(...given),
  compose: async (...given) => (await import('./compose.ts')).composeWriting(...given),
  result: (run, _inputs, left, { exit }) => writingResult(run.entry.id, run.current.request, left, exit),
  facts: (run, inputs, _machine, { view }) => readWritingFacts(run, inputs, view),
  show: writingShow,
})
