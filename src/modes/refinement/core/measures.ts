import type { Rubric } from '../../../contract/rubric.ts'
import type { RefineConfig } from '../contract/config.ts'

/**
 * Lists the criteria that a writer is given: always those checked by code, which it could not guess, and the judge's
 * questions if there is room for them.
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
