import { PawlError } from '../../../contract/exit.ts'
import type { RefineConfig } from '../contract/config.ts'
import type { Brief, RefinementRequest } from '../contract/request.ts'

type Asked = Pick<RefinementRequest, 'ladder' | 'start' | 'escalateTo'>

/** What no model could take, or no run could pay for even once, is refused before anything is spent. */
export function refuseTooLong(
  { task, goal = '', text = '', file }: Brief,
  rules: RefineConfig,
  asked: Asked,
  estimateTokens: (text: string) => number,
): void {
  const tokens = estimateTokens(`${task}\n${goal}\n${text}`)
  const what = file?.shown ?? 'what is to be refined'
  const about = `${what} is about ${figure(tokens)} tokens long`
  const least = leastNeeded(tokens, rules)
  if (least > rules.tokens) {
    throw new PawlError(
      30,
      `${about}, one round of it takes ${figure(least)}, and this run may spend ${figure(rules.tokens)}`,
      `Refine a part of it, or allow more: --max-tokens ${roundedUp(10 * tokens)}`,
    )
  }
  const models = asked.ladder.filter(({ id }) => id === asked.start || asked.escalateTo.includes(id))
  const largest = Math.max(...models.map(({ contextTokens }) => contextTokens))
  if (tokens + rules.leastOutputTokens <= largest) return
  throw new PawlError(
    30,
    `${about}, and no model that may be asked holds more than ${figure(largest)}`,
    'Refine a part of it, or name a model with a larger context in ladder of your config.yml.',
  )
}

/** Where all is counted, a text is read, written anew and read by its judge. Where both limits are one, the last call may go past them. */
function leastNeeded(
  tokens: number,
  { counts, leastOutputTokens, escalateTokens, tokens: most }: RefineConfig,
): number {
  if (escalateTokens >= most) return 0
  return counts === 'all' ? Math.max(3 * tokens, tokens + leastOutputTokens) : tokens + leastOutputTokens
}

const figure = (count: number): string => count.toLocaleString('en-US')
const roundedUp = (count: number): number => Math.ceil(count / 10_000) * 10_000
