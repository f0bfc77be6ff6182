import type { RunStore } from '../../ports/run-store.ts'
import { answer, type Claim } from './check.ts'
import { endClaims, planClaim, processClaim } from './end-claims.ts'
import { misbehaviourClaims } from './misbehaviour-claims.ts'
import { hasProcessTable } from './process-table.ts'
import type { Seen } from './seen.ts'

/** Each is read back from git, the run and the process table, and from nothing that a command has printed. */
export function checkClaims(seen: Seen, store: Pick<RunStore, 'open'>): Promise<Claim[]> {
  const { run, misbehaviour } = seen
  const checks = [
    planClaim(seen),
    ...(misbehaviour ? misbehaviourClaims({ ...seen, misbehaviour }, store) : []),
    ...endClaims(seen, store),
    ...(hasProcessTable() ? [processClaim(run?.id)] : []),
  ]
  return Promise.all(checks.map(answer))
}
