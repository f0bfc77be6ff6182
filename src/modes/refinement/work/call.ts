import { askModel, type ModelAnswer, type ModelQuestion } from '../../../calls/ask-model.ts'
import { measureRoom, type Prompt, type Room } from '../../../calls/measure-room.ts'
import type { Rung } from '../../../contract/models.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { Role } from '../core/event-data.ts'
import type { RefinementTools } from './tools.ts'

export type Asked = ModelAnswer<Role>

export type Question = Omit<ModelQuestion<Role>, 'silenceMs' | 'maxOutputTokens' | 'overhead'>

/** Computes before a call whether it fits the bounds of the run. */
export const measure = (a: Attempt, prompt: Prompt, via: string, overhead: boolean, tools: RefinementTools): Room =>
  measureRoom(prompt, {
    rung: findRung(tools, via),
    left: a.left(),
    overhead,
    leastOutputTokens: tools.request.rules.leastOutputTokens,
    estimateTokens: tools.estimateTokens,
  })

export const isOverhead = ({ request }: RefinementTools, role: Role): boolean =>
  role === 'calibrate' || (request.rules.counts === 'generator' && role !== 'generate' && role !== 'single-shot')

export const ask = (
  a: Attempt,
  question: Question,
  { maxOutputTokens }: Room,
  tools: RefinementTools,
  signal: AbortSignal,
): Promise<Asked> => {
  const { silenceMs } = tools.request.rules
  const overhead = isOverhead(tools, question.role)
  const calling = { ...tools, isRemote: (via: string) => !findRung(tools, via).local }
  return askModel(a, { ...question, silenceMs, maxOutputTokens, overhead }, calling, signal)
}

export function findRung({ request }: Pick<RefinementTools, 'request'>, via: string): Rung {
  const rung = request.ladder.find(({ id }) => id === via)
  if (!rung) throw new Error(`unknown rung ${via}`)
  return rung
}
