import { readNamedFile } from '../../../../config/input/named-file.ts'
import { DeliveryResult } from '../../contract/result.ts'
import { findFirstProblem } from './first-problem.ts'

const maxBytes = 16 * 1024 * 1024

/** Returns the result of this run. Undefined if the file is missing or damaged: the journal can rebuild it. */
export function readResult(path: string, run?: string): DeliveryResult | undefined {
  try {
    const bytes = readNamedFile(path, maxBytes, { links: false })
    if (typeof bytes === 'string' || bytes.length > maxBytes) return undefined
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (findFirstProblem(DeliveryResult, value)) return undefined
    const result = DeliveryResult.parse(value)
    return run === undefined || result.run_id === run ? result : undefined
  } catch {
    return undefined
  }
}
