import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readResult } from '../../src/modes/delivery/start/input/read-result.ts'
import { eventsAt, problemsAt, requestAt } from '../support/runs.ts'
import { processesIn } from './processes.ts'
import { proof, stories, type ThreeStories } from './three-stories.ts'

/** Stories that the journal says are done, each with the calls of the agent that it has had by then. */
export function doneSoFar(delivery: ThreeStories): Map<string, number> {
  const [dir] = delivery.runFolders()
  const settled = (dir ? eventsAt(dir) : []).flatMap((event) =>
    event.type === 'decision-made' && event.decision.do === 'settle' && event.decision.as === 'done'
      ? [event.task!]
      : [],
  )
  return new Map(stories.filter((id) => settled.includes(id)).map((id) => [id, delivery.callsOf(id)]))
}

/** What was done stays done and is not worked on again, whatever has happened since. */
export function lostSince(before: ReadonlyMap<string, number>, delivery: ThreeStories): string[] {
  const now = doneSoFar(delivery)
  return [...before].flatMap(([id, calls]) => {
    if (!now.has(id)) return [`${id} was done and is lost`]
    return now.get(id) === calls ? [] : [`${id} was done and its agent was started again`]
  })
}

/** After any exit but a kill: a result that holds its schema and says what the exit and the journal say. */
export function problemsOfExit(delivery: ThreeStories, code: number): string[] {
  const [dir] = delivery.runFolders()
  if (!dir) return [`exit ${code} without a journal`]
  const result = readResult(join(dir, 'result.json'), runOf(dir))
  if (!result) return [`exit ${code} without a result that holds the schema`]
  const done = doneSoFar(delivery)
  const wrong = result.stories.filter(({ id, status }) => (status === 'done') !== done.has(id))
  return [
    ...(result.exit === code ? [] : [`exit ${code}, but the result says ${result.exit}`]),
    ...((code === 0) === (result.status === 'success') ? [] : [`exit ${code} with ${result.status}`]),
    ...(result.status !== 'success' || done.size === stories.length ? [] : ['success with stories that are not done']),
    ...wrong.map(({ id, status }) => `the result says that ${id} is ${status}`),
  ]
}

/** What must hold at the end of a delivery (I1 to I8). */
export async function problemsAtEnd(delivery: ThreeStories): Promise<string[]> {
  const folders = delivery.runFolders()
  const [dir] = folders
  if (!dir) return ['there is no run']
  return [
    ...(folders.length === 1 ? [] : [`${folders.length} runs have a journal`]),
    ...(await problemsOfJournal(dir)),
    ...(fs.existsSync(join(dir, 'room')) ? ['the clean room was left behind'] : []),
    ...problemsOfRepository(delivery, dir),
    ...processesIn(delivery.root, runOf(dir)).map((pid) => `process ${pid} was left behind`),
  ]
}

const runOf = (dir: string): string => requestAt(dir).run_id

async function problemsOfJournal(dir: string): Promise<string[]> {
  const problems = await problemsAt(dir)
  const lines = fs.readFileSync(join(dir, 'progress.ndjson'), 'utf8').trimEnd().split('\n')
  const gap = lines.findIndex((line, index) => (JSON.parse(line) as { seq: number }).seq !== index + 1)
  const found = [...problems, ...(gap < 0 ? [] : [`line ${gap + 1} of the journal is out of order`])]
  const settled = new Set<string>()
  for (const event of eventsAt(dir)) {
    if (event.chore) continue
    if (event.type === 'attempt-started' && settled.has(event.task!)) found.push(`${event.task} was begun again`)
    if (event.type !== 'decision-made' || event.decision.do !== 'settle') continue
    if (settled.has(event.task!)) found.push(`${event.task} was settled twice`)
    settled.add(event.task!)
  }
  return found
}

function problemsOfRepository({ way, git, at, first, userFiles, dirt }: ThreeStories, dir: string): string[] {
  const run = runOf(dir)
  const result = readResult(join(dir, 'result.json'), run)
  const found: string[] = []
  const committed = git(
    'log',
    '--format=%H %(trailers:key=Pawl-Run,valueonly,separator=) %(trailers:key=Pawl-Story,valueonly,separator=)',
    `${first}..main`,
  )
  const commits = committed
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '))
  if (way === 'execute' && commits.length) found.push(`execute has made ${commits.length} commits`)
  for (const id of stories) {
    const own = commits.filter(([, of, story]) => of === run && story === id)
    if (way !== 'execute' && own.length !== 1) found.push(`${id} has ${own.length} commits`)
    const ref = git('for-each-ref', '--format=%(objectname)', `refs/pawl/${run}/${id}`)
    if (!ref) found.push(`${id} has no ref`)
    const kept = way === 'execute' ? ref : (own[0]?.[0] ?? '')
    if (result?.stories.find((story) => story.id === id)?.commit !== kept) found.push(`the result names another ${id}`)
    for (const commit of [ref, kept].filter(Boolean))
      if (!passesElsewhere(git, commit, id)) found.push(`${commit} does not hold what was verified of ${id}`)
  }
  if (way !== 'execute' && commits.length !== stories.length) found.push(`${commits.length} commits on the branch`)
  const untracked = way === 'execute' ? stories.map((id) => `?? ${id}.txt`) : []
  const status = git('status', '--porcelain', '-uall')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.padStart(2))
  if (sorted(status) !== sorted([...dirt, ...untracked])) found.push(`git status says ${status.join(', ')}`)
  const says = git('fsck', '--full', '--strict', '--no-dangling')
  if (says) found.push(`git fsck says ${says}`)
  const locks = fs
    .readdirSync(at('.git'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.lock'))
  found.push(...locks.filter((path) => !path.startsWith('pawl-')).map((path) => `${path} was left behind`))
  for (const [path, bytes] of userFiles)
    if (fs.readFileSync(at(path), 'latin1') !== bytes) found.push(`${path} of the user has changed`)
  return found
}

const sorted = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .sort()
    .join('\n')

/** Checks a commit out in another folder and verifies it again. */
function passesElsewhere(git: ThreeStories['git'], commit: string, story: string): boolean {
  const folder = fs.mkdtempSync(join(tmpdir(), 'pawl-elsewhere-'))
  try {
    git('clone', '--quiet', '--shared', '--no-checkout', '.', folder)
    git('-C', folder, 'checkout', '--quiet', '--detach', commit)
    return spawnSync('sh', ['-c', proof.replace('{story_id}', story)], { cwd: folder }).status === 0
  } catch {
    return false
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
