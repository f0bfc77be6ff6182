import { readNamedFile } from '../../../../config/input/named-file.ts'
import { DeliveryResult } from '../../contract/result.ts'
import { firstProblem } from './first-problem.ts'

const mostBytes = 16 * 1024 * 1024

/** The result of this run, if one lies there whole. Half of one is as good as none: the journal says it all again. */
export function readResult(path: string, run?: string): DeliveryResult | undefined {
  try {
    const bytes = readNamedFile(path, mostBytes, { links: false })
    if (typeof bytes === 'string' || bytes.length > mostBytes) return undefined
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (firstProblem(DeliveryResult, value)) return undefined
    const result = DeliveryResult.parse(value)
    return run === undefined || result.run_id === run ? result : undefined
  } catch {
    return undefined
  }
}
