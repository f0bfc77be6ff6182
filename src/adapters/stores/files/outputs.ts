import { join } from 'node:path'
import { type Disk, openPlain, readAt } from './disk.ts'
import { namesIn } from './entries.ts'

export const outputFolder = 'attempts'
const mostBytes = 1 << 20
const isLog = (name: string): boolean => /^[^/\\]+\.log$/.test(name)

/** Logs of agents and checks, the one that was written last at the end. Links and folders of that name are no logs. */
export function listOutputs(disk: Disk, dir: string): string[] {
  const folder = join(dir, outputFolder)
  return namesIn(disk, folder)
    .filter(isLog)
    .map((name) => ({ name, stat: disk.lstatSync(join(folder, name)) }))
    .filter(({ stat }) => stat.isFile())
    .sort((a, b) => a.stat.mtimeMs - b.stat.mtimeMs || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
}

export function readOutput(
  disk: Disk,
  dir: string,
  name: string,
  from: number,
): { readonly bytes: Uint8Array; readonly from: number } | undefined {
  const fd = isLog(name) ? openLog(disk, join(dir, outputFolder, name)) : undefined
  if (fd === undefined) return undefined
  try {
    const { size } = disk.fstatSync(fd)
    const start = from < 0 ? Math.max(0, size + from) : Math.min(from, size)
    return { bytes: readAt(disk, fd, start, Math.min(size - start, mostBytes)), from: start }
  } finally {
    disk.closeSync(fd)
  }
}

function openLog(disk: Disk, path: string): number | undefined {
  try {
    return openPlain(disk, path)
  } catch {
    return undefined
  }
}
