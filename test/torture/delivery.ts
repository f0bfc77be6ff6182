import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { doneSoFar, lostSince, problemsAtEnd, problemsOfExit } from './delivery-checks.ts'
import { type Child, exitOf, killAfter, killLater, mulberry32, startPawl, type Tally } from './kill.ts'
import { newThreeStories, stories, type ThreeStories, ways } from './three-stories.ts'

/** Kills a delivery of three stories with -9 again and again, and calls it again until it says that all is done. */
export async function tortureDelivery(kills: number, seed: number, say: (line: string) => void = () => {}) {
  const random = mulberry32(seed)
  const tally: Tally = { kills: 0, runs: 0, problems: [] }
  while (tally.kills < kills) {
    const delivery = newThreeStories(ways[tally.runs % ways.length]!)
    const problems = await tortureOne(delivery, random, tally, kills)
    tally.runs++
    tally.problems.push(...problems.map((problem) => `seed ${seed}, run ${tally.runs} (${delivery.way}): ${problem}`))
    say(`seed ${seed}: ${tally.kills} kills, ${tally.runs} runs, ${tally.problems.length} problems`)
    if (problems.length) say(`${problems.join('\n')}\nkept: ${delivery.root}`)
    else delivery.remove()
  }
  return tally
}

async function tortureOne(delivery: ThreeStories, random: () => number, tally: Tally, most: number): Promise<string[]> {
  const problems: string[] = []
  for (let start = 0; start < 300; start++) {
    const done = doneSoFar(delivery)
    const { child, exit } = tally.kills < most ? startDoomed(delivery, random, done.size) : startSpared(delivery)
    const code = await exit
    problems.push(...lostSince(done, delivery))
    if (code === null) {
      tally.kills++
      continue
    }
    problems.push(...problemsOfExit(delivery, code))
    if (code === 0) return [...problems, ...(await problemsAtEnd(delivery))]
    if (code !== 20) return [...problems, `exit ${code} at start ${start}: ${child.said()}`]
  }
  return [...problems, 'never done']
}

type Started = { readonly child: Child; readonly exit: Promise<number | null> }

function startSpared({ repo, root, words }: ThreeStories, before: readonly string[] = []): Started {
  const child = startPawl({ cwd: repo, home: root, before }, words)
  return { child, exit: exitOf(child) }
}

/** Ends while it starts; or a moment after some event; or right before one of the calls by which it changes something. */
function startDoomed(delivery: ThreeStories, random: () => number, done: number): Started {
  const [how, which, when] = [random(), random(), random()]
  const left = (stories.length - done + 0.3) / stories.length
  if (how < 0.35 && canTrace()) {
    const [name, times] = fatalCalls[Math.floor(which * fatalCalls.length)]!
    const inject = `inject=${name}:signal=KILL:when=${1 + Math.floor(when * times * left)}`
    return startSpared(delivery, [...tracing, '-e', `trace=${name}`, '-e', inject])
  }
  const { child } = startSpared(delivery)
  if (how < 0.55) return { child, exit: killLater(child, when * 500) }
  const wanted = eventsIn(delivery) + 1 + Math.floor(which * eventsOfAll * left)
  return { child, exit: killAfter(child, () => eventsIn(delivery) >= wanted, when * 120) }
}

/** About as many as a delivery has. */
const eventsOfAll = 58

function eventsIn({ runFolders }: ThreeStories): number {
  const [dir] = runFolders()
  return dir ? fs.readFileSync(join(dir, 'progress.ndjson'), 'latin1').split('\n').length - 1 : 0
}

/** File calls and starts of git, and about how many of each a whole delivery makes. */
const fatalCalls = [
  ['/^(clone|v?fork)', 170],
  ['/^rename', 18],
  ['/^link', 6],
  ['/^(unlink|rmdir)', 45],
  ['/^mkdir', 35],
  ['fdatasync', 27],
  ['fsync', 10],
] as const

const tracing = ['strace', '-qq', '-o', '/dev/null'] as const
let traceable: boolean | undefined
const canTrace = (): boolean => {
  const [program, ...args] = tracing
  traceable ??= spawnSync(program, [...args, 'true']).status === 0
  return traceable
}
