import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { askGit, type Novel } from './evidence.ts'
import { answers, feedback, modelScript, novelFiles, ownEdit } from './novel.ts'
import type { Stage } from './stage.ts'

/** Revises a chapter of a novel, in a repository of its own. */
export async function reviseNovel({ dir, run, newestRun }: Stage): Promise<Novel> {
  const repository = join(dir, 'books')
  for (const [path, text] of Object.entries(novelFiles)) writeText(join(repository, path), text)
  writeText(join(dir, 'model.yml'), modelScript)
  writeText(join(dir, 'answers.yml'), answers)
  await askGit(repository, '-c', 'init.defaultBranch=main', 'init', '--quiet')
  await askGit(repository, 'config', 'user.name', 'Demo')
  await askGit(repository, 'config', 'user.email', 'demo@example.org')
  await askGit(repository, 'add', '.')
  await askGit(repository, 'commit', '--quiet', '-m', 'A novel')
  const first = await askGit(repository, 'rev-parse', 'HEAD')
  writeText(join(repository, ownEdit.path), ownEdit.text)
  const hashes = hashTexts(repository)

  await run(['git', '-C', '../books', 'status', '--short'])
  const models = ['--answers', '../answers.yml', '--model', 'scripted:../model.yml'] as const
  await run(['pawl', 'write', '../books/lamp', '--target', 'prose', '--feedback', feedback, ...models])
  await run(['pawl', 'show', 'lamp'])
  await run(['git', '-C', '../books', 'log', '--stat', '--format=%h %s', `${first.slice(0, 10)}..`])
  const newest = await newestRun(repository)
  return { repository, first, hashes, run: newest && { id: newest.entry.id, dir: newest.entry.address } }
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Files that pawl keeps beside the texts. */
const own = ['iteration_history.json', 'sources.json']

/** The hash of each file of the novel, by its path in the repository. */
export function hashTexts(repository: string): Readonly<Record<string, string>> {
  const paths = readdirSync(join(repository, 'lamp'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !own.includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(paths.map((path) => [path.slice(repository.length + 1), hash(path)]))
}
