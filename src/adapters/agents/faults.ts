import type { Fault } from '../../ports/agent.ts'

/** What an HTTP status of the provider means for a loop; undefined where the agent itself is to blame. */
export function faultOfStatus(status: number | null | undefined): Fault | undefined {
  if (status === 401 || status === 403) return 'login'
  if (status === 429) return 'limit'
  return status === 408 || (status ?? 0) >= 500 ? 'provider' : undefined
}

/** Vendors write moments in seconds or in milliseconds; only one of them is in this century. */
export const asMs = (moment: number): number => (moment < 1e11 ? moment * 1000 : moment)
