import { join } from 'node:path'
import { workspaceFolders } from '../../contract/programs.ts'
import type { NoRoom, Room } from '../../ports/room.ts'
import type { Snapshots } from '../../ports/snapshots.ts'
import type { RunTools } from '../machine.ts'

/** Makes or opens the clean room of a run, in the run's folder. Call it before the first agent starts. */
export function openRunRoom(tools: RunTools, snapshots: Snapshots): Promise<Room | NoRoom> {
  const { workspace, folder, environment } = tools
  const without = [...new Set([environment.folder, ...workspaceFolders])]
  return tools.openRoom({ workspace, folder: join(folder, 'room'), without }, snapshots)
}
