import type { Rubric } from '../../../contract/rubric.ts'
import type { RefineConfig } from '../contract/config.ts'

/**
 * What a writer is told of how it is judged: what code looks for, always, for nobody meets by luck what nobody told; and the
 * questions of the judge, where there is room for them.
 */
export function listMeasures(
  { dimensions, checks }: Rubric,
  { scale }: Pick<RefineConfig, 'scale'>,
): readonly string[] {
  const { leastWords, mostWords, headings = [], banned = [], json } = checks
  return [
    ...(scale === 'anchored' ? dimensions.map(({ question }) => question) : []),
    ...(leastWords === undefined ? [] : [`At least ${leastWords} words.`]),
    ...(mostWords === undefined ? [] : [`At most ${mostWords} words.`]),
    ...(headings.length ? [`These headings: ${headings.join(', ')}.`] : []),
    ...(banned.length ? [`None of these words: ${banned.join(', ')}.`] : []),
    ...(json ? ['JSON and nothing else.'] : []),
  ]
}
