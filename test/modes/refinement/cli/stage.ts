import { onTestFinished } from 'vitest'
import {
  type ModelServer,
  type ServedAnswer,
  type ServedCall,
  startModelServer,
} from '../../../support/model-server.ts'

export type Role = 'plan' | 'write' | 'judge' | 'plain'

/** What a model was asked for, as its prompt tells. */
function roleOf({ system }: Pick<ServedCall, 'system'>): Role {
  if (system.startsWith('You plan work')) return 'plan'
  if (system.startsWith('You judge')) return 'judge'
  return system.includes('between markers') ? 'write' : 'plain'
}

/** One iteration as it is to go: its text, what it costs, what the judge gives, or what goes wrong. */
export type Beat = {
  readonly text?: string
  readonly tokens?: number
  readonly score?: number
  readonly write?: ServedAnswer
  readonly judge?: ServedAnswer
}

export type Play = {
  readonly phases?: readonly string[] | ServedAnswer
  readonly beats: readonly Beat[]
  readonly plain?: ServedAnswer
  /** Instead of all that, for one call. */
  readonly instead?: (call: ServedCall, role: Role) => ServedAnswer | undefined | Promise<ServedAnswer | undefined>
}

export type Stage = {
  readonly server: ModelServer
  readonly env: Record<string, string>
  /** Calls in the order in which they came: role and model. */
  readonly asked: () => string[]
  readonly calls: (role: Role) => ServedCall[]
}

export const judgement = (score: number, more: object = {}): string =>
  JSON.stringify({
    evidence: [],
    findings: [],
    scores: { relevance: score, accuracy: score, completeness: score },
    confidence: 0.9,
    ...more,
  })

export const planOf = (titles: readonly string[]): string =>
  JSON.stringify({ phases: titles.map((title) => ({ title, aim: `${title} in full.` })) })

/** Servers of all three providers on one port of this machine, playing iteration after iteration. The last beat repeats. */
export async function stage({ phases = ['Outline', 'Draft', 'Refine'], beats, plain, instead }: Play): Promise<Stage> {
  let written = 0
  const beatAt = (number: number): Beat => beats[Math.min(number, beats.length) - 1] ?? {}
  const answer = async (call: ServedCall): Promise<ServedAnswer> => {
    const role = roleOf(call)
    const other = await instead?.(call, role)
    if (other) return other
    switch (role) {
      case 'plan':
        return Array.isArray(phases) ? { text: planOf(phases) } : (phases as ServedAnswer)
      case 'write': {
        written += 1
        const { text = `text ${written}`, tokens = 20, write } = beatAt(written)
        return write ?? { text, usage: { input: 1, output: tokens - 1 } }
      }
      case 'judge': {
        const { score = 85, judge } = beatAt(written)
        return judge ?? { text: judgement(score) }
      }
      case 'plain':
        return plain ?? { text: 'a plain answer', usage: { input: 1, output: 19 } }
    }
  }
  const server = await startModelServer(answer, { models: ['llama3.1:70b'] })
  onTestFinished(() => server.close())
  const env = {
    OLLAMA_HOST: server.host,
    XAI_BASE_URL: `${server.url}/v1`,
    XAI_API_KEY: 'xai-test-key',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'anthropic-test-key',
  }
  return {
    server,
    env,
    asked: () => server.calls.map((call) => `${roleOf(call)} ${call.model}`),
    calls: (role) => server.calls.filter((call) => roleOf(call) === role),
  }
}
