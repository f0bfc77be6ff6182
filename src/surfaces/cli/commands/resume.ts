import { refuseIfJournalLost, reopening, sendBefore } from '../../../app/continue-run.ts'
import { findRun } from '../../../app/find-run.ts'
import { capsFromFlags } from '../../../app/request.ts'
import { ownName } from '../../../app/start-run.ts'
import type { Handler } from '../command.ts'
import { drive } from '../drive.ts'
import { checkTrust, settingsFor } from './run.ts'

export const handle: Handler = async (invocation) => {
  const { place, args, options } = invocation
  const found = findRun(place, args[0])
  const here = { ...place, cwd: found.workspace }
  const settings = await settingsFor({ ...invocation, place: here }, found.name)
  await checkTrust({ ...invocation, place: here }, settings)
  const caps = capsFromFlags(settings)
  const lease = ownName(here, found.name, options.takeOver === true)
  try {
    refuseIfJournalLost(found)
    const reopen = reopening(found, caps)
    await sendBefore(found, { caps: reopen ? {} : caps, skipWait: options.now === true })
    const { id, dir, name } = found
    return await drive({ ...invocation, place: here }, { id, dir, name, reopen, takeOver: options.takeOver === true })
  } finally {
    lease.release()
  }
}
