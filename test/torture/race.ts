import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { problemsAtEnd, problemsOfExit } from './delivery-checks.ts'
import { exitOf, mulberry32, startPawl, type Tally } from './kill.ts'
import { newThreeStories, stories, type ThreeStories } from './three-stories.ts'

/** Starts the same delivery twice, at once or so that one meets the other somewhere on its way or at its end. */
export async function raceDeliveries(races: number, seed: number, say: (line: string) => void = () => {}) {
  const random = mulberry32(seed)
  const tally: Tally & { refused: number } = { kills: 0, runs: 0, problems: [], refused: 0 }
  while (tally.runs < races) {
    const delivery = newThreeStories(tally.runs % 3 === 2 ? 'deliver' : 'execute')
    const waitMs = random() < 0.5 ? random() * 40 : random() * 4000
    const { refused, problems } = await race(delivery, waitMs)
    tally.runs++
    tally.refused += refused
    tally.problems.push(...problems.map((problem) => `seed ${seed}, race ${tally.runs} (${delivery.way}): ${problem}`))
    say(`seed ${seed}: ${tally.runs} races, ${tally.refused} refused, ${tally.problems.length} problems`)
    if (problems.length) say(`${problems.join('\n')}\nkept: ${delivery.root}`)
    else delivery.remove()
  }
  return tally
}

async function race(delivery: ThreeStories, waitMs: number): Promise<{ refused: number; problems: string[] }> {
  const { root, repo, words } = delivery
  const problems: string[] = []
  let running = 2
  const one = async (ms: number): Promise<number | null> => {
    await delay(ms)
    const child = startPawl({ cwd: repo, home: root }, words)
    const code = await exitOf(child)
    running--
    if (code !== 0 && code !== 10) problems.push(`exit ${code}: ${child.said()}`)
    if (code === 10 && !/\(pid \d+ on /.test(child.said())) problems.push(`refused without a reason: ${child.said()}`)
    // A result is the owner's; as long as it works, there is none yet or one that says how it has ended.
    if (code === 10 && running) problems.push(...resultsThatLie(delivery))
    return code
  }
  const codes = await Promise.all([one(0), one(waitMs)])
  const refused = codes.filter((code) => code === 10).length
  if (!codes.includes(0)) problems.push(`nobody has finished: ${codes.join(', ')}`)
  const calls = stories.map(delivery.callsOf).join(' ')
  if (calls !== '2 1 1') problems.push(`the agent was called ${calls} times`)
  return { refused, problems: [...problems, ...problemsOfExit(delivery, 0), ...(await problemsAtEnd(delivery))] }
}

function resultsThatLie({ runFolders, root }: ThreeStories): string[] {
  return [join(root, 'out'), ...runFolders()].flatMap((dir) => {
    const path = join(dir, 'result.json')
    const text = fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : ''
    return text === '' || text.includes('"status": "success"') ? [] : [`the loser has written ${text}`]
  })
}
