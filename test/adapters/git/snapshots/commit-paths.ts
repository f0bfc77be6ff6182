// `node commit-paths.ts <repository> <round>` writes the files of a round and commits them. Prints a dot for each git
// process that starts, so that a test can kill this one at any of them, and at the end the commit.
import * as fs from 'node:fs'
import { join } from 'node:path'
import { createPathCommits } from '../../../../src/adapters/git/snapshots/path-commits.ts'
import { capture } from '../../../../src/adapters/shell/capture.ts'
import type { FileState, PathCommit } from '../../../../src/ports/path-commits.ts'

/** A new file, a changed one and a deleted one. */
export function planRound(round: number): PathCommit {
  const file = (path: string, text: string | null): FileState => ({
    path: `notes/${path}`,
    content: text === null ? null : Buffer.from(text),
  })
  const changes = [file(`${round}.md`, `${round}\n`), file('all.md', `up to ${round}\n`), file(`${round - 1}.md`, null)]
  return { changes, subject: `round ${round}`, trailers: { 'Pawl-Round': String(round) } }
}

if (process.argv[1] === import.meta.filename) {
  const [folder = '', round = '0'] = process.argv.slice(2)
  const commit = planRound(Number(round))
  fs.mkdirSync(join(folder, 'notes'), { recursive: true })
  for (const { path, content } of commit.changes) {
    if (content === null) fs.rmSync(join(folder, path), { force: true })
    else fs.writeFileSync(join(folder, path), content)
  }
  const commits = createPathCommits({
    folder,
    env: process.env,
    capture: (question) => {
      process.stdout.write('.')
      return capture(question)
    },
  })
  process.stdout.write(`\n${await commits.commit(commit)}\n`)
}
