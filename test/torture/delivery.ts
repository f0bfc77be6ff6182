import { spawnSync } from 'node:child_process'
import { doneSoFar, lostSince, problemsAtEnd, problemsOfExit } from './delivery-checks.ts'
import { type Child, exitOf, killLater, mulberry32, startPawl, type Tally } from './kill.ts'
import { newThreeStories, type ThreeStories, ways } from './three-stories.ts'

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
    const { child, exit } = startDoomed(delivery, random, tally.kills < most)
    const code = await exit
    problems.push(...lostSince(done, delivery))
    if (code === null) {
      tally.kills++
      continue
    }
    problems.push(...problemsOfExit(delivery, code))
    if (code === 0) return [...problems, ...problemsAtEnd(delivery)]
    if (code !== 20) return [...problems, `exit ${code} at start ${start}: ${child.said()}`]
  }
  return [...problems, 'never done']
}

type Doomed = { readonly child: Child; readonly exit: Promise<number | null> }

/** Ends after some time, early or late, or right before one of the calls by which it changes something. */
function startDoomed({ repo, root, words }: ThreeStories, random: () => number, doomed: boolean): Doomed {
  const where = { cwd: repo, home: root }
  const byCall = random() < 0.35
  const [name, times] = fatalCalls[Math.floor(random() * fatalCalls.length)]!
  const [part, when] = [random(), random()]
  if (doomed && byCall && canTrace()) {
    const inject = `inject=${name}:signal=KILL:when=${1 + Math.floor(when * when * times)}`
    const before = [...tracing, '-e', `trace=${name}`, '-e', inject]
    const child = startPawl({ ...where, before }, words)
    return { child, exit: exitOf(child) }
  }
  const child = startPawl(where, words)
  return { child, exit: doomed ? killLater(child, when * (part < 0.3 ? 400 : 1500)) : exitOf(child) }
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
