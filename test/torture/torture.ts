import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { allPids, carriesMark } from '../../src/adapters/shell/processes.ts'
import { eventsAt, problemsAt, requestAt } from '../support/runs.ts'
import { exitOf, killLater, mulberry32, startPawl, type Tally } from './kill.ts'

const iterations = 40

// Every third iteration leaves a daemon behind, so that there is something to find after a kill.
const agent = `cat >/dev/null
case "$PAWL_STORY_ID" in *3|*6|*9) setsid nohup sleep 300 >/dev/null 2>&1 & ;; esac
echo "$PAWL_STORY_ID" >>work.txt
`

/** Kills the real program with -9 at random moments, resumes it until it is done, and checks what must always hold. */
export async function torture(kills: number, seed: number, say: (line: string) => void = () => {}): Promise<Tally> {
  const random = mulberry32(seed)
  const tally: Tally = { kills: 0, runs: 0, problems: [] }
  while (tally.kills < kills) {
    const problems = await tortureOneRun(random, tally, kills)
    tally.runs++
    tally.problems.push(...problems.map((problem) => `seed ${seed}, run ${tally.runs}: ${problem}`))
    say(`seed ${seed}: ${tally.kills} kills, ${tally.runs} runs, ${tally.problems.length} problems`)
  }
  return tally
}

async function tortureOneRun(random: () => number, tally: Tally, most: number): Promise<string[]> {
  const root = fs.mkdtempSync(join(tmpdir(), 'pawl-torture-'))
  const phases = { observe: 'o', orient: 'o', decide: 'd', act: 'a' }
  const build = { ...phases, ai_cmd: 'sh agent.sh', gates: ['test -s work.txt'], until: 'never', durability: 'strict' }
  fs.mkdirSync(join(root, '.pawl'))
  fs.writeFileSync(join(root, '.pawl', 'config.yml'), stringify({ procedures: { build } }))
  fs.writeFileSync(join(root, 'agent.sh'), agent)
  const runs = join(root, '.pawl', 'runs')
  try {
    for (let start = 0; ; start++) {
      const begun =
        fs.existsSync(runs) && fs.readdirSync(runs).some((id) => fs.existsSync(join(runs, id, 'progress.ndjson')))
      const words = begun
        ? ['resume', 'build', '--trust']
        : ['run', 'build', '-n', String(iterations), '--trust', '--fresh']
      const child = startPawl({ cwd: root, home: root }, words)
      const killing = tally.kills < most
      const code = killing
        ? await killLater(child, random() < 0.2 ? random() * 250 : 150 + random() * 500)
        : await exitOf(child)
      // Only those count that it did not forestall by being done.
      if (killing && code === null) tally.kills++
      if (code === 0) break
      if (code !== null && code !== 20) return [`exit ${code} at start ${start}: ${child.said()}`]
      if (start > 500) return ['never done']
    }
    return await checkEverything(root, runs)
  } finally {
    fs.rmSync(root, { recursive: true, force: true })
  }
}

async function checkEverything(root: string, runs: string): Promise<string[]> {
  const id = fs.readdirSync(runs).find((id) => fs.existsSync(join(runs, id, 'result.json')))
  if (!id) return ['no run has a result']
  const dir = join(runs, id)
  const problems = [...(await problemsAt(dir))]
  const events = eventsAt(dir)
  const settled = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'attempt-started' && settled.has(event.task!))
      problems.push(`${event.task} was finished and begun again`)
    if (event.type !== 'decision-made' || event.decision.do !== 'settle') continue
    if (settled.has(event.task!)) problems.push(`${event.task} was settled twice`)
    settled.set(event.task!, event.decision.as)
  }
  if (settled.size !== iterations) problems.push(`${settled.size} iterations instead of ${iterations}`)
  const work = fs.readFileSync(join(root, 'work.txt'), 'utf8').trim().split('\n')
  for (const [task, as] of settled) {
    const times = work.filter((line) => line === task).length
    if (times > 1) problems.push(`${task} was done ${times} times`)
    if (as === 'done' && times !== 1) problems.push(`${task} is done in the journal but not on disk`)
  }
  const left = allPids().filter((pid) => carriesMark(pid, `PAWL_SCOPE=${requestAt(dir).run_id}`)).length
  if (left) problems.push(`${left} processes were left behind`)
  return problems
}
