import { readFrozenRequest } from '../../../src/app/frozen-request.ts'
import type { RunEntry } from '../../../src/app/index-of-runs.ts'

export function isFork({ dir }: RunEntry): boolean {
  const { current } = readFrozenRequest(dir)
  return current.mode === 'refinement' && current.refinement.parent !== undefined
}
