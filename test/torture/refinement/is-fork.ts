import { readFrozenRequest } from '../../../src/run/frozen-request.ts'
import type { RunEntry } from '../../../src/run/index-of-runs.ts'

export function isFork({ dir }: RunEntry): boolean {
  const { current } = readFrozenRequest(dir)
  return current.mode === 'refinement' && current.refinement.parent !== undefined
}
