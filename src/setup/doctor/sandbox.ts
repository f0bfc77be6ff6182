import { join } from 'node:path'
import { createShell } from '../../adapters/shell/shell.ts'
import type { Finding } from './finding.ts'

/** Tries a forbidden write, and looks from outside whether it happened. */
export async function sandboxFinding(scratch: string): Promise<Finding> {
  const confine = { writable: [join(scratch, 'open')], protectedFolders: [], protectedFiles: [] }
  const level = await createShell({ secrets: [], isolation: 'auto', confine }).confinement()
  if (level === 'bubblewrap') {
    return { check: 'sandbox', status: 'ok', says: 'bubblewrap: a forbidden write was tried and refused' }
  }
  const says = 'none: agents and gates can write every file that you can'
  return { check: 'sandbox', status: 'weak', says, fix: 'install bubblewrap' }
}
