import { join } from 'node:path'
import { workspaceFolders } from '../../contract/programs.ts'
import type { Left } from '../../kernel/policy.ts'
import type { NoRoom, Room, RoomOptions } from '../../ports/room.ts'
import type { Snapshots } from '../../ports/snapshots.ts'
import type { RunTools } from '../machine.ts'

const maxNamed = 10

/** Makes or opens the clean room of a run, in the run's folder. Call it before the first agent starts. */
export async function openRunRoom(
  tools: RunTools,
  snapshots: Snapshots,
  { onRealPath }: Pick<RoomOptions, 'onRealPath'>,
): Promise<Room | NoRoom> {
  const { workspace, folder, environment, onNotice } = tools
  const without = [...new Set([environment.folder, ...workspaceFolders])]
  const room = await tools.openRoom({ workspace, folder: join(folder, 'room'), without, onRealPath }, snapshots)
  if ('problem' in room) return room
  const { shares = [], left } = room
  if (shares.length > 0)
    onNotice(`agents and verification share these caches, so what an agent leaves there counts: ${shares.join(', ')}`)
  if (left.length > 0)
    onNotice(`not in the clean room: ${left.slice(0, maxNamed).join(', ')}${left.length > maxNamed ? ', …' : ''}`)
  return room
}

/** Keeps the room of a run that can go on: its agents may have changed what git ignores, and a new copy would have that. */
export function leaveRoom<Memo>(room: Room, { status, view }: Left<Memo>): void {
  if (status === 'ended' && view.state.ended?.ending === 'completed') room.remove()
  else room.leave()
}
