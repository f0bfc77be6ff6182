import { readPlain, realDisk } from '../../../../adapters/stores/files/disk.ts'
import { DeliveryResult } from '../../contract/result.ts'
import { firstProblem } from './first-problem.ts'

const mostBytes = 16 * 1024 * 1024

/** The result of this run, if one lies there whole. Half of one is as good as none: the journal says it all again. */
export function readResult(path: string, run?: string): DeliveryResult | undefined {
  try {
    const value: unknown = JSON.parse(readPlain(realDisk, path, mostBytes))
    if (firstProblem(DeliveryResult, value)) return undefined
    const result = DeliveryResult.parse(value)
    return run === undefined || result.run_id === run ? result : undefined
  } catch {
    return undefined
  }
}
