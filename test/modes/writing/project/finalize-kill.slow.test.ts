import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allPids } from '../../../../src/adapters/shell/processes.ts'
import { exitOf, killAfter, mulberry32, startPawl } from '../../../torture/kill.ts'
import { beats, file, newNovel, prose, says } from '../support/novel.ts'
import { dyingAt, listRuns } from '../support/program.ts'
import { openRepl } from '../support/terminal.ts'

type Novel = ReturnType<typeof newNovel>
type Random = () => number

/** A novel whose next iteration changes, adds and removes files and culls a level, beside a person's own work. */
function newCase(random: Random) {
  const novel = newNovel({ chapters: 4, prose: 3 })
  const windows = (text: string): string => text.replaceAll('\n', '\r\n')
  novel.write(`chapter-beats/${file(2)}`, windows(beats(2)))
  novel.write(`chapter-beats/${file(3)}`, beats(3).trimEnd())
  novel.write('../other/notes.md', 'one\n')
  novel.git('add', '.')
  novel.git('commit', '-qm', 'more')
  novel.write('../other/notes.md', 'two\n')
  novel.git('add', 'other')
  novel.write('../other/notes.md', 'three\n')
  novel.write('../mine.txt', 'mine\n')
  novel.write('chapter-beats/.draft.swp', 'mine\n')
  const culls = random() < 0.5
  const grey = Object.fromEntries([1, 2, 3, 5].map((number) => [file(number), beats(number, 'grey')]))
  novel.setScript([
    says.plan([
      ...[1, 2, 3].map((number) => ({ name: file(number) })),
      { name: file(4), action: 'remove' },
      { name: file(5), action: 'add' },
    ]),
    says.write(grey),
    says.judge('approved', 'Good.'),
    says.describe({}),
  ])
  const given = { cull: culls ? 'cull-all' : 'keep-all', judge: 'yes', accept: 'yes', provider: 'abort' }
  const answers = join(novel.root, 'answers.yml')
  fs.writeFileSync(answers, JSON.stringify(given))
  return {
    novel,
    answers,
    mine: novel.git('status', '--short'),
    before: novel.git('rev-parse', 'HEAD'),
    wanted: new Map<string, string | null>([
      [`chapter-beats/${file(1)}`, beats(1, 'grey')],
      [`chapter-beats/${file(2)}`, windows(beats(2, 'grey'))],
      [`chapter-beats/${file(3)}`, beats(3, 'grey').trimEnd()],
      [`chapter-beats/${file(4)}`, null],
      [`chapter-beats/${file(5)}`, beats(5, 'grey')],
      ...[1, 2, 3].map((number) => [`chapters/${file(number)}`, culls ? null : prose(number)] as const),
    ]),
  }
}

type Case = ReturnType<typeof newCase>

const start = ({ novel }: Case, words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  startPawl({ cwd: novel.studio, home: novel.root, env }, words)

const findRun = (novel: Novel) => listRuns(novel)[0]

function isFinalizing({ novel }: Case): boolean {
  const path = join(findRun(novel)?.dir ?? '', 'progress.ndjson')
  return fs.existsSync(path) && fs.readFileSync(path, 'utf8').includes('"chore":"finalize"')
}

const startWords = ({ novel, answers }: Case): string[] => {
  const words = ['write', novel.name, '--target', 'chapters', '--feedback', 'Make it grey']
  return [...words, '--answers', answers, '--model', novel.model]
}

/** Kills an iteration after it began to be saved, and often those that go on with it. Returns the number of kills. */
async function killWhileSaved(c: Case, random: Random): Promise<number> {
  const code = await killAfter(start(c, startWords(c)), () => isFinalizing(c), random() * 320)
  if (code !== null) return 0
  for (let kills = 1; ; kills += 1) {
    if (random() < 0.4) return kills
    const resume = ['resume', findRun(c.novel)!.id]
    // Half of them at a call that changes something on disk, half at any time.
    const end =
      random() < 0.5
        ? await exitOf(start(c, resume, dyingAt(`disk ${1 + Math.floor(random() * 140)}`)))
        : await killAfter(start(c, resume), () => true, 250 + random() * 600)
    if (end !== null) return kills
  }
}

/** Goes on in one of the ways that a person has. */
async function goOn(c: Case, random: Random): Promise<string[]> {
  const { id } = findRun(c.novel)!
  if (random() < 0.7) {
    const child = start(c, ['resume', id])
    const code = await exitOf(child)
    return code === 0 ? [] : [`resume ended with ${code}: ${child.said()}`]
  }
  const repl = openRepl(c.novel, ['write', ...(random() < 0.5 ? [c.novel.name] : [])], 'pawl')
  await repl.say('> ', '/exit')
  await repl.ended
  return []
}

/** Everything that must hold once an accepted iteration is saved. */
async function check({ novel, wanted, mine, before }: Case): Promise<string[]> {
  const { folder, studio, git } = novel
  const { id } = findRun(novel)!
  const problems: string[] = []
  for (const [path, text] of wanted) {
    const full = join(folder, path)
    const now = fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : null
    if (now !== text) problems.push(`${path} is not as accepted`)
  }
  const history = JSON.parse(novel.read('chapter-beats/iteration_history.json')) as {
    iterations: { iteration_id: string }[]
  }
  const entries = history.iterations.map(({ iteration_id }) => iteration_id)
  if (String(entries) !== id) problems.push(`the history has ${String(entries)}`)
  const commits = git('log', '--format=%(trailers:key=Iteration-Id,valueonly,separator=%x2c)', `${before}..HEAD`)
  if (commits.trim() !== id) problems.push(`the commits are ${JSON.stringify(commits)}`)
  const status = git('status', '--short')
  if (status !== mine) problems.push(`git status is ${JSON.stringify(status)}`)
  const parts = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.part'))
  if (parts.length > 0) problems.push(`left behind: ${parts.join(', ')}`)
  await expect.poll(() => gitsIn(studio)).toEqual([])
  const locks = fs
    .readdirSync(join(studio, '.git'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.lock'))
  if (locks.length > 0) problems.push(`locks: ${locks.join(', ')}`)
  git('fsck', '--no-dangling', '--strict')
  return problems
}

/** A git of a killed process may still be at work. */
const gitsIn = (studio: string): number[] =>
  allPids().filter((pid) => {
    try {
      return fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(studio) && pid !== process.pid
    } catch {
      return false
    }
  })

async function torture(kills: number, seed: number): Promise<{ kills: number; problems: string[] }> {
  const random = mulberry32(seed)
  const tally = { kills: 0, iterations: 0, problems: [] as string[] }
  while (tally.kills < kills) {
    const c = newCase(random)
    const killed = await killWhileSaved(c, random)
    tally.iterations += 1
    tally.kills += killed
    const found = [...(await goOn(c, random)), ...(await check(c))]
    tally.problems.push(...found.map((problem) => `${tally.iterations} (${killed} kills): ${problem}`))
    fs.rmSync(c.novel.root, { recursive: true, force: true })
  }
  console.log(`${tally.kills} kills in ${tally.iterations} iterations`)
  return tally
}

test('5 kills while an iteration is saved: it is saved once and whole, and what is mine stays mine', async () => {
  expect((await torture(5, 20261116)).problems).toEqual([])
})

// KILLS=500 takes ten minutes on two quiet cores.
test('many kills, in two places at once', { timeout: 3_600_000 }, async () => {
  const [kills, seed] = [Number(process.env.KILLS ?? 40), Number(process.env.SEED ?? 1)]
  const tallies = await Promise.all([torture(kills / 2, seed), torture(kills / 2, seed + 1)])
  expect(tallies.flatMap(({ problems }) => problems)).toEqual([])
})

/** An accepted iteration whose process died when saving had begun and nothing was written yet. */
async function newAccepted(random: Random): Promise<Case> {
  for (;;) {
    const c = newCase(random)
    await killAfter(start(c, startWords(c)), () => isFinalizing(c), 0)
    if (c.novel.git('status', '--short') === c.mine) return c
  }
}

test('killed before each single call that changes something on disk', { timeout: 1_200_000 }, async () => {
  const c = await newAccepted(() => 0)
  const copy = `${c.novel.root}-copy`
  fs.cpSync(c.novel.root, copy, { recursive: true })
  const problems: string[] = []
  let kills = 0
  for (let call = 1; ; call += 1) {
    const resume = ['resume', findRun(c.novel)!.id]
    if ((await exitOf(start(c, resume, dyingAt(`disk ${call}`)))) !== null) break
    kills += 1
    const next = start(c, resume)
    const code = await exitOf(next)
    const found = [...(code === 0 ? [] : [`exit ${code}: ${next.said()}`]), ...(await check(c))]
    problems.push(...found.map((problem) => `call ${call}: ${problem}`))
    fs.rmSync(c.novel.root, { recursive: true })
    fs.cpSync(copy, c.novel.root, { recursive: true })
  }
  fs.rmSync(copy, { recursive: true })
  expect(problems).toEqual([])
  expect(kills).toBeGreaterThan(60)
})
