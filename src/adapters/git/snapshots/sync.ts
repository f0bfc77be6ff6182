import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import type { Tool } from './tool.ts'
import { checkedId } from './trees.ts'

const mostObjects = 5000

/** What is new in `to` survives a power loss before anything points at it. Beyond some thousand files time counts more. */
export async function syncObjects({ run, root }: Tool, from: string, to: string): Promise<void> {
  const args = ['diff-tree', '-r', '-t', '-z', '--raw', '--no-renames', '--no-abbrev', checkedId(from), checkedId(to)]
  const lines = (await run(args)).toString('latin1').split('\0')
  const ids = lines.flatMap((line) => /^:\d+ (?!000000|160000)\d+ \w+ (\w+) /.exec(line)?.[1] ?? [])
  const objects = resolve(root, (await run(['rev-parse', '--git-path', 'objects'])).toString('utf8').replace(/\n$/, ''))
  for (const id of [to, ...ids].slice(0, mostObjects)) sync(join(objects, id.slice(0, 2), id.slice(2)))
}

/** One that is not there lies in a pack, and those are synced by git. */
function sync(path: string): void {
  const fd = openIfThere(path)
  if (fd === undefined) return
  try {
    fs.fdatasyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return fs.openSync(path, 'r')
  } catch {
    return undefined
  }
}
