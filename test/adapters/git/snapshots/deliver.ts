// `node deliver.ts <repository> <journal> <stories>` delivers stories until it is killed or done; a journal of one
// entry says what is to be committed, as a run's journal would.
import * as fs from 'node:fs'
import { join } from 'node:path'
import { createSnapshots } from '../../../../src/adapters/git/snapshots/snapshots.ts'
import { capture } from '../../../../src/adapters/shell/capture.ts'
import type { VerifiedTree } from '../../../../src/ports/snapshots.ts'

const [folder = '', journal = '', stories = '0'] = process.argv.slice(2)
// A dot for each git process that starts, so that a test can kill this one at any of them.
const snapshots = createSnapshots({
  folder,
  env: process.env,
  capture: (question) => {
    process.stdout.write('.')
    return capture(question)
  },
})

const done = (): number => (fs.existsSync(`${journal}.done`) ? Number(fs.readFileSync(`${journal}.done`, 'utf8')) : 0)
const writeWhole = (path: string, text: string): void => {
  fs.writeFileSync(`${path}.part`, text)
  fs.renameSync(`${path}.part`, path)
}

while (done() < Number(stories)) {
  const story = done() + 1
  const kept = begun(story) ?? (await work(story))
  await snapshots.keep(kept)
  // null: it went along with a commit that a person made in that moment.
  await snapshots.commit(kept, undefined)
  writeWhole(`${journal}.done`, String(story))
  for (const path of [`${journal}.from`, journal]) fs.rmSync(path, { force: true })
}

/** What an earlier process had decided about this story. Of the story before, it may not have come to remove it. */
function begun(story: number): VerifiedTree | undefined {
  if (!fs.existsSync(journal)) return undefined
  const kept = JSON.parse(fs.readFileSync(journal, 'utf8')) as VerifiedTree
  if (kept.key === `run-1/S${story}`) return kept
  for (const path of [journal, `${journal}.from`]) fs.rmSync(path, { force: true })
  return undefined
}

async function work(story: number): Promise<VerifiedTree> {
  if (!fs.existsSync(`${journal}.from`)) writeWhole(`${journal}.from`, await snapshots.take())
  const from = fs.readFileSync(`${journal}.from`, 'utf8')
  fs.writeFileSync(join(folder, `story-${story}.txt`), `story ${story}\n`)
  fs.appendFileSync(join(folder, 'all.txt'), `${story}\n`)
  const kept = { key: `run-1/S${story}`, from, to: await snapshots.take(), subject: `story ${story}`, body: '' }
  writeWhole(journal, JSON.stringify(kept))
  return kept
}
