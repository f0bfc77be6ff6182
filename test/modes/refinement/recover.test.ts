import { expect, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import type { Rung } from '../../../src/contract/models.ts'
import { general } from '../../../src/judging/scoring/rubrics/general.ts'
import { runLoop } from '../../../src/kernel/run.ts'
import { firstDivergence } from '../../../src/kernel/step.ts'
import { type PresetName, presets } from '../../../src/modes/refinement/contract/config.ts'
import { refinementPolicy } from '../../../src/modes/refinement/core/policy.ts'
import type { RefinementTools } from '../../../src/modes/refinement/work/tools.ts'
import { refinementWork } from '../../../src/modes/refinement/work/work.ts'
import { NotSavedError } from '../../../src/ports/journal.ts'
import { fakeClock, memoryInbox, memoryJournal } from '../../../src/testing/memory.ts'

const nothing = { path: '', sha256: '', bytes: 0 }

const rung = (id: string): Rung => ({
  id,
  label: id,
  provider: 'ollama',
  model: id,
  local: true,
  contextTokens: 9000,
  price: null,
})

/** A run in memory whose process can be ended right before an event is recorded, and that goes on afterwards. */
function newRun(preset: PresetName, { score = 90, tokens = 10, judges = ['ours'] } = {}) {
  const texts = new Map<string, string>()
  const asked: string[] = []
  const wanted: (readonly string[] | undefined)[] = []
  const journal = memoryJournal()
  const inbox = memoryInbox()
  const request = {
    rules: presets[preset],
    ladder: ['ours', 'mumbler'].map(rung),
    start: 'ours',
    escalateTo: [],
    failover: ['ours'],
    judges,
    localOnly: true,
    brief: nothing,
    rubric: nothing,
    taskId: 't',
    correlationId: 'c',
    branch: null,
  }
  const put = async (name: string, text: string | Uint8Array) => {
    const path = `${texts.size}-${name}`
    texts.set(path, String(text))
    return { path, sha256: path, bytes: text.length }
  }
  const answerTo = (prompt: string): string => {
    asked.push(prompt)
    const [relevance, accuracy, completeness] = [score, score, score]
    if (prompt.includes('What to judge it by')) return JSON.stringify({ scores: { relevance, accuracy, completeness } })
    const phases = ['One', 'Two', 'Three'].map((title) => ({ title, aim: title }))
    return prompt.includes('Split this') ? JSON.stringify({ phases }) : `text ${asked.length}`
  }
  const tools: RefinementTools = {
    request,
    modelOf: (name) => ({
      name,
      call: async ({ prompt, schema }) => {
        wanted.push(schema && Object.keys(schema.properties as object))
        const usage = { tokens, costUsd: null }
        const text = name === 'mumbler' ? 'Well, hm.' : answerTo(prompt)
        return { status: 'ok', text, usage, providerMs: 1, sentBytes: prompt.length }
      },
    }),
    content: { put, get: async ({ path }) => new TextEncoder().encode(texts.get(path)) },
    brief: async () => ({ task: 'Write it', context: [] }),
    rubric: async () => general,
    estimateTokens: (text) => Math.ceil(text.length / 40),
    markOf: (text) => text,
    elapsed: () => 0,
    calibrations: { get: async () => undefined, put: async () => {} },
  }
  const { iterations: attemptsPerRun, tokens: most, overheadTokens, escalations } = presets[preset]
  const policy = refinementPolicy(request, { attemptsPerRun, tokens: most, overheadTokens, escalations })
  const never = new AbortController().signal
  const go = (endsBefore: (event: Omit<LoopEvent, 'epoch'>) => boolean = () => false) =>
    runLoop({
      run: 'run',
      policy,
      work: refinementWork(tools),
      journal: {
        ...journal,
        append: (draft) => (endsBefore(draft) ? Promise.reject(new NotSavedError('killed')) : journal.append(draft)),
      },
      inbox,
      clock: fakeClock(),
      stop: { soft: never, hard: never },
      start: { pins: {} },
      attended: false,
      holdMs: Number.POSITIVE_INFINITY,
    })
  return { go, asked, wanted, put, inbox, policy, events: journal.events }
}

const isEndOf = (task: string) => (event: Omit<LoopEvent, 'epoch'>) =>
  event.type === 'attempt-ended' && event.task === task

test('what a person said after a text was written and before its process was killed is told to another one', async () => {
  const { go, asked, put, inbox } = newRun('sap-0010')
  expect((await go(isEndOf('phase-3'))).status).toBe('unsaved')
  await inbox.post({ by: 'ada', say: 'feedback', text: await put('feedback.md', 'Say who pays') })
  const { view } = await go()
  expect(view.state.ended).toEqual({ ending: 'completed', reason: { code: 'threshold_met' } })
  expect(asked.filter((prompt) => prompt.includes('Human feedback: Say who pays'))).toHaveLength(1)
  expect(view.memo).toMatchObject({ heard: 1, told: 1 })
})

test('what a person said after the last phase and before the end opens that phase again', async () => {
  const { go, asked, put, inbox, events, policy } = newRun('sap-0010')
  const isStop = (event: Omit<LoopEvent, 'epoch'>): boolean =>
    event.type === 'decision-made' && (event as Extract<LoopEvent, { type: 'decision-made' }>).decision.do === 'stop'
  expect((await go(isStop)).status).toBe('unsaved')
  expect(events.at(-1)).toMatchObject({ task: 'phase-3', decision: { do: 'settle', as: 'done' } })
  await inbox.post({ by: 'ada', say: 'feedback', text: await put('feedback.md', 'Say who pays') })
  const { view } = await go()
  expect(view.state.ended).toEqual({ ending: 'completed', reason: { code: 'threshold_met' } })
  expect(view.memo.accepted).toHaveLength(3)
  const [prompt, ...more] = asked.filter((one) => one.includes('Human feedback: Say who pays'))
  expect(prompt).toContain('Best version so far')
  expect(more).toEqual([])
  const begun = events.filter((event) => event.type === 'attempt-started' && event.task === 'phase-3')
  expect(begun.map(({ attempt }) => attempt)).toEqual([1, 2])
  expect(firstDivergence(events, policy)).toBeUndefined()
})

test.for(['decompose', 'phase-1', 'single-shot'])(
  'an answer to %s that was recorded before a kill is the answer',
  async (task) => {
    // So dear that after the last answer nothing else would fit.
    const { go, asked, events } = newRun('sap-0020', { score: 75, tokens: 245 })
    const { status } = await go(isEndOf(task))
    expect(status).toBe('unsaved')
    const before = asked.length
    const recorded = events.findLast(({ type }) => type === 'call-ended')
    await go()
    expect(asked.slice(before).filter((prompt) => asked.indexOf(prompt) < before)).toEqual([])
    const attempts = events.filter((event) => event.type === 'attempt-ended' && event.task === task)
    expect(attempts[0]).toMatchObject({ outcome: { status: 'ok' } })
    if (task === 'single-shot') {
      const { memo } = (await go()).view
      expect(memo.singleShot).toEqual((recorded as Extract<LoopEvent, { type: 'call-ended' }>).call.output)
    }
  },
)

test('what one judge said that nobody could read is not taken for the answer of the next one', async () => {
  const { go, events } = newRun('sap-0010', { judges: ['mumbler', 'ours'] })
  await go()
  const called = events.flatMap((event) => (event.type === 'call-ended' ? [`${event.call.key} ${event.call.via}`] : []))
  expect(called.slice(2, 4)).toEqual(['mumbler/judge-1 mumbler', 'mumbler/judge-1-again mumbler'])
  expect(called).toContain('ours/calibrate-1 ours')
})

test('plans and judgements are asked for by a schema, texts are not', async () => {
  const { go, wanted } = newRun('sap-0010')
  await go()
  const judgement = ['evidence', 'findings', 'scores', 'confidence']
  expect(wanted.slice(0, 3)).toEqual([['phases'], undefined, judgement])
})
