import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { textOf } from '../names.ts'
import type { Tool } from './tool.ts'
import { type Entry, idIn, same, setInIndex } from './trees.ts'
import { inWorkshop } from './workshop.ts'

const mostBytes = 16 * 1024 * 1024
export type Sides = { readonly base: string; readonly ours: string; readonly theirs: string }

/**
 * A merge of three trees that touches no file and asks no merge driver: git decides what only one side has changed,
 * and lines are merged where both have.
 */
export function mergeTrees(tool: Tool, { base, ours, theirs }: Sides): Promise<string> {
  return inWorkshop(tool.gitDir, async (workshop) => {
    const index = join(workshop, 'index')
    await tool.run(['read-tree', '-i', '-m', '--aggressive', base, ours, theirs], { index })
    const open = unmerged(await tool.run(['ls-files', '--unmerged', '-z'], { index }))
    const merged: [string, Entry][] = []
    const conflicts: string[] = []
    for (const [path, stages] of open) {
      const entry = await mergeFile(tool, workshop, stages)
      if (entry) merged.push([path, entry])
      else conflicts.push(textOf(path))
    }
    if (conflicts.length > 0) {
      throw new RepositoryBlockedError(`something later builds on it in ${conflicts.join(', ')}: take that back first`)
    }
    if (merged.length > 0) await setInIndex(tool, index, merged)
    return idIn(await tool.run(['write-tree'], { index }))
  })
}

/** By stage: 1 is the base, 2 ours, 3 theirs. */
type Stages = readonly [unknown?, Entry?, Entry?, Entry?]

function unmerged(output: Buffer): Map<string, Stages> {
  const found = new Map<string, [unknown?, Entry?, Entry?, Entry?]>()
  for (const line of output.toString('latin1').split('\0')) {
    const [, mode, id, stage, path] = /^(\d+) (\w+) ([123])\t(.*)$/s.exec(line) ?? []
    if (mode === undefined || id === undefined || path === undefined) continue
    const stages = found.get(path) ?? []
    stages[Number(stage) as 1 | 2 | 3] = { mode, id }
    found.set(path, stages)
  }
  return found
}

async function mergeFile(tool: Tool, workshop: string, [, base, ours, theirs]: Stages): Promise<Entry | undefined> {
  if (!base || !ours || !theirs) return undefined
  const entries = [ours, base, theirs]
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode
  if (!entries.every((entry) => entry.mode.startsWith('100'))) return undefined
  const files: string[] = []
  for (const [at, { id }] of entries.entries()) {
    const { code, stdout } = await tool.attempt(['cat-file', 'blob', id], { maxBytes: mostBytes, beginning: true })
    if (code !== 0) return undefined
    const file = join(workshop, `side-${at}`)
    writeFileSync(file, stdout)
    files.push(file)
  }
  const { code, stdout } = await tool.attempt(['merge-file', '-p', '-q', ...files])
  if (code !== 0 || same(ours, theirs)) return undefined
  return { mode, id: idIn(await tool.run(['hash-object', '-w', '--stdin'], { input: stdout })) }
}
