import type { Model, ModelReply, ModelRequest } from '../../../ports/model.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Scenarios } from '../../../run/mode.ts'

/** How the models behave in one scenario. The last score repeats. */
type Scenario = {
  readonly title: string
  readonly scores: readonly number[]
  readonly phases?: readonly string[]
  /** Tokens of one written text. */
  readonly tokens?: number
  /** Models that do not answer. */
  readonly down?: readonly string[]
  /** The time of one answer. */
  readonly delayMs?: number
}

const table: Readonly<Record<string, Scenario>> = {
  'retry-once': { title: '75, then 85', scores: [75, 85] },
  slowly: { title: '75, then 85, slowly: time to pause', scores: [75, 85], delayMs: 700 },
  escalate: { title: '60: a stronger model', scores: [60, 85] },
  'escalate-late': { title: '75, then 60: a stronger model', scores: [75, 60, 85] },
  'phase-four': {
    title: 'five phases, phase 4 scores 60',
    phases: ['Outline', 'Research', 'Draft', 'Review', 'Polish'],
    scores: [85, 86, 87, 60, 88],
  },
  'many-tokens': { title: 'tokens over 500', scores: [75, 85], tokens: 520 },
  'grok-down': { title: 'Grok down', scores: [60, 85], down: ['grok'] },
  'all-down': { title: 'all models down', scores: [75], down: ['ollama', 'grok', 'claude'] },
  'always-low': { title: 'endless low scores', scores: [75, 75, 85, 75, 75, 85, 75, 75] },
}

/** Scripted models under the names of the real ones, so that anybody can walk through the seeds' steps. Nothing leaves the process. */
export const scenarios: Scenarios = {
  list: Object.entries(table).map(([id, { title }]) => ({ id, title })),
  open(id, machine) {
    const scenario = Object.hasOwn(table, id) ? table[id] : undefined
    if (!scenario) return undefined
    const play = createPlay(scenario)
    return withModels(machine, (rung) => ({
      name: rung,
      call: (request, signal) => (scenario.down?.includes(rung) ? unavailable(rung) : play(request, signal, machine)),
    }))
  },
}

/** Keys that are none: without them a remote model is not offered. */
const env = { XAI_API_KEY: 'scripted', ANTHROPIC_API_KEY: 'scripted', PAWL_LADDER: 'ollama\ngrok\nclaude' }

const withModels = (machine: Machine, create: (rung: string) => Model): Machine => ({
  ...machine,
  environment: { ...machine.environment, env: { ...machine.environment.env, ...env } },
  models: {
    ...machine.models,
    open: ({ id }) => create(id),
    probe: async () => ({ ok: true, says: 'scripted' }),
    problem: () => undefined,
  },
})

function createPlay({ scores, phases = ['Outline', 'Draft', 'Refine'], tokens = 40, delayMs = 60 }: Scenario) {
  let written = 0
  let text = ''
  return async (
    { system = '', prompt }: ModelRequest,
    signal: AbortSignal,
    { clock }: Machine,
  ): Promise<ModelReply> => {
    try {
      await clock.sleep(delayMs, signal)
    } catch {
      return { ...nothing, status: 'failed', fault: 'stopped' }
    }
    const say = (reply: string, used = 10): ModelReply => ({
      ...nothing,
      status: 'ok',
      text: reply,
      usage: { tokens: used, costUsd: 0 },
      providerMs: delayMs,
    })
    if (system.startsWith('You plan work')) return say(planPhases(phases))
    const markers = /between (\S+) and (\S+)\./.exec(system)
    if (!markers) return say(judge(scores[Math.min(written, scores.length) - 1] ?? 85))
    written += 1
    text = addPassage(text, prompt, written)
    return say(`${markers[1]}\n${text}\n${markers[2]}`, tokens)
  }
}

/** Each version holds the ones before it. */
function addPassage(text: string, prompt: string, number: number): string {
  const phase = /^Phase \d+ of \d+: ([^.\n]+)\./m.exec(prompt)?.[1] ?? 'Text'
  const said = [...prompt.matchAll(/Human feedback: (.*)/g)].at(-1)?.[1]
  const passage = `${phase}, version ${number}: people who forgot their password get a link that is good for 30 minutes.`
  const heard = said === undefined || text.includes(said) ? '' : ` Heard: ${said}`
  return `${text === '' ? '' : `${text}\n\n`}${passage}${heard}`
}

const planPhases = (titles: readonly string[]): string =>
  JSON.stringify({ phases: titles.map((title) => ({ title, aim: `${title} in full.` })) })

const judge = (score: number): string =>
  JSON.stringify({
    evidence: [],
    findings: [],
    scores: { relevance: score, accuracy: score, completeness: score },
    confidence: 0.9,
  })

const nothing = { text: '', usage: { tokens: 0, costUsd: 0 }, providerMs: 0, sentBytes: 0 } as const

const unavailable = async (rung: string): Promise<ModelReply> => ({
  ...nothing,
  status: 'unavailable',
  fault: 'provider',
  detail: `${rung} does not answer`,
})
