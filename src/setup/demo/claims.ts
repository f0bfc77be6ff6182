import { answer, type Claim } from './check.ts'
import { endClaims, planClaim, processClaim } from './end-claims.ts'
import { misbehaviourClaims } from './misbehaviour-claims.ts'
import { hasProcessTable } from './process-table.ts'
import type { Seen } from './seen.ts'

/** Each is read back from git, files and the process table, and from nothing that a command has printed. */
export function claimsAbout(seen: Seen): Promise<Claim[]> {
  const { run, misbehaviour } = seen
  const checks = [
    planClaim(seen),
    ...(misbehaviour ? misbehaviourClaims({ ...seen, misbehaviour }) : []),
    ...endClaims(seen),
    ...(hasProcessTable() ? [processClaim(run?.id)] : []),
  ]
  return Promise.all(checks.map(answer))
}
