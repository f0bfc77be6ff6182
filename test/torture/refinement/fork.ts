import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { RunFolder } from '../../support/runs.ts'
import { exitOf } from '../kill.ts'
import { type Case, isDoomed, look } from './case.ts'
import { eventsIn } from './stage.ts'

/** Another way from somewhere: the run that it comes from stays as it is, and half a fork is none. */
export async function forkAnywhere(c: Case, parent: RunFolder): Promise<RunFolder | undefined> {
  const { stage, random, tally, problems } = c
  const before = digestOf(parent.dir)
  const events = eventsIn(parent)
  const moment = random() < 0.3 ? [] : ['--at', String(1 + Math.floor(random() * events))]
  const mark = `note-${++c.marks}`
  const words = ['fork', parent.id, ...moment, '--feedback', mark, '--plain']
  for (let tries = 0; tries < 4; tries++) {
    const [which, when] = [random(), random()]
    const fatal =
      which < 0.5 ? `disk ${1 + Math.floor(when * 150)}` : `journal ${1 + Math.floor(when * (events + 4))} after`
    const child = stage.start(words, isDoomed(c) && tries < 3 ? fatal : undefined)
    const code = await exitOf(child)
    if (code === null) tally.kills++
    if (digestOf(parent.dir) !== before) problems.push('a fork has changed what it comes from')
    const [run, second] = (await stage.runs()).filter(({ id }) => id !== parent.id)
    if (second) problems.push('one fork has made two runs')
    if (run) {
      c.forked = true
      tally.forks++
      inherit(c, parent, run, mark)
      await look(c, run, code)
      return run
    }
    // Before anything was judged, or behind its end, there is nothing to fork from.
    if (code === 2) return undefined
    if (code !== null) problems.push(`exit ${code} of ${words.join(' ')}: ${child.said()}`)
  }
  return undefined
}

/** It has what the other one had been told by then, and what it was begun with. */
function inherit({ sent }: Case, parent: RunFolder, run: RunFolder, mark: string): void {
  const earlier = sent.filter((note) => note.run === parent.id)
  sent.push(...earlier.map((note) => ({ ...note, kept: false, run: run.id })))
  sent.push({ say: 'feedback', mark, kept: true, run: run.id })
}

function digestOf(folder: string): string {
  const digest = createHash('sha256')
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name)
    digest.update(`${name}\n`)
    if (fs.statSync(path).isFile()) digest.update(fs.readFileSync(path))
  }
  return digest.digest('hex')
}
