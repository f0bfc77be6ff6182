import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Look } from '../../ports/repository.ts'
import { marksOf } from './stamp.ts'
import { mostEntries } from './status.ts'

const passedOver = new Set(['.git', 'node_modules', '.pawl', '.rooda', '.agentic'])

/** A folder without git: names, sizes and dates of all that lies in it. Throws for too many. */
export function walkFolder(folder: string, deadline: number): Look {
  const digest = createHash('sha256')
  const open = [folder]
  let entries = 0
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (performance.now() > deadline) throw new Error(`${folder} takes too long to walk through`)
    for (const name of namesIn(at)) {
      if (passedOver.has(name)) continue
      entries += 1
      if (entries > mostEntries) throw new Error(`${folder} has more than ${mostEntries} entries`)
      const path = join(at, name)
      const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
      if (!found) continue
      // The date of a folder changes with what lies in it, which is looked at itself.
      digest.update(JSON.stringify([path, String(found.mode), found.isDirectory() ? '' : marksOf(found)]))
      if (found.isDirectory()) open.push(path)
    }
  }
  return { head: null, branch: null, dirty: 0, fingerprint: digest.digest('hex') }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
