import { openRoom } from '../adapters/room/room.ts'
import { capture } from '../adapters/shell/capture.ts'
import { canMount, insidePlace, isMountable } from '../adapters/shell/place.ts'
import type { NoRoom, Room, RoomOptions } from '../ports/room.ts'
import type { Snapshots } from '../ports/snapshots.ts'

const tryMs = 30_000

/** Makes or opens a room, and runs a command in it once: a room that cannot be entered is none. */
export async function openRoomHere(options: RoomOptions, snapshots: Snapshots): Promise<Room | NoRoom> {
  const { workspace, folder } = options
  if (!canMount()) return { problem: 'it needs Linux with unshare and mount' }
  for (const path of [workspace, folder])
    if (!isMountable(path)) return { problem: `the path ${path} has a character that mount does not take` }
  const room = await openRoom(options, { snapshots, capture })
  const answer = await room.use(room.start, (place) => {
    const argv = insidePlace(place, ['/bin/true'])
    return capture({ argv, cwd: '/', env: { PATH: '/usr/bin:/bin' }, maxBytes: 1 << 16, timeoutMs: tryMs })
  })
  if ('code' in answer && answer.code === 0) return room
  room.remove()
  const why = 'problem' in answer ? answer.problem : answer.stderrTail.trim().split('\n')[0]
  return { problem: `this machine does not let you mount an overlay: ${why}` }
}
