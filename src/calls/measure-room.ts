import type { Rung } from '../contract/models.ts'
import type { Allowance } from '../kernel/policy.ts'
import type { JsonSchema } from '../ports/model.ts'

/** The parts of a prompt. */
export type Prompt = {
  readonly system: string
  readonly prompt: string
  /** Set if the answer should be an object. Counts as part of the prompt, because some models are shown it there. */
  readonly schema?: JsonSchema | undefined
}

/** Room for one call within the bounds. */
export type Room = {
  readonly needsTokens: number
  readonly maxOutputTokens: number | undefined
  readonly fits: boolean
  /** Set if the call does not fit: the limit that is too small. `says` explains it. */
  readonly short?: 'tokens' | 'context' | 'cost'
  readonly says: string
}

export type RoomOptions = {
  readonly rung: Pick<Rung, 'price' | 'contextTokens' | 'label'>
  readonly left: Allowance
  /** The call counts as overhead, such as judging. */
  readonly overhead: boolean
  readonly leastOutputTokens: number
  readonly estimateTokens: (text: string) => number
}

/** Computes before a call whether it fits, and how long the answer may be. */
export function measureRoom({ system, prompt, schema }: Prompt, options: RoomOptions): Room {
  const { left, overhead, leastOutputTokens, estimateTokens } = options
  const { price, contextTokens, label } = options.rung
  const roomBeside = (promptTokens: number): Room => {
    const afterPrompt = left.costUsd * 1e6 - promptTokens * (price?.input ?? 0)
    const affordable = price ? afterPrompt / Math.max(price.output, 1e-9) : Infinity
    const tokens = overhead ? left.overheadTokens : left.tokens
    const rooms = { context: contextTokens - promptTokens, tokens: tokens - promptTokens, cost: affordable }
    const roomLeft = Math.floor(Math.min(rooms.context, rooms.tokens, rooms.cost, outputTokenLimit))
    const needsTokens = promptTokens + leastOutputTokens
    const room = { needsTokens, maxOutputTokens: roomLeft, fits: roomLeft >= leastOutputTokens, says: '' }
    if (room.fits) return room
    const short = (['context', 'tokens', 'cost'] as const).find((name) => rooms[name] < leastOutputTokens)!
    const says = {
      context: `it needs ${needsTokens} tokens, but the context of ${label} is ${contextTokens}`,
      tokens: `it needs ${needsTokens} tokens, but ${Math.max(0, tokens)} are left`,
      cost: `it needs ${needsTokens} tokens of ${label}, but $${Math.max(0, left.costUsd).toFixed(4)} are left`,
    }[short]
    return { ...room, short, says }
  }
  const asked = schema ? prompt + JSON.stringify(schema) : prompt
  // Far from every bound a quick upper estimate is enough.
  const upperEstimate = roomBeside(maxTokensPerCharacter * (system.length + asked.length))
  if (upperEstimate.maxOutputTokens === outputTokenLimit && upperEstimate.fits) return upperEstimate
  return roomBeside(estimateTokens(system) + estimateTokens(asked))
}

/** Limit of every answer, whatever is left. */
const outputTokenLimit = 32_000
/** The estimate is never higher. */
const maxTokensPerCharacter = 2
