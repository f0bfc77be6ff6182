import { readRun } from '../../src/run/read-run.ts'
import { type RunFolder, runAt } from '../support/runs.ts'
import { exitOf, mulberry32 } from './kill.ts'
import { type Case, isDoomed, linesOf, look, lookAtText, newCase, type RefinementTally } from './refinement/case.ts'
import { problemsAtEnd } from './refinement/check-end.ts'
import { unheardNotes } from './refinement/check-notes.ts'
import { forkAnywhere } from './refinement/fork.ts'
import { postTwo } from './refinement/posts.ts'
import { newStage, ways } from './refinement/stage.ts'
import { startOnce } from './refinement/starts.ts'

/** Kills refinements with -9 wherever they are, while people have their say from two places at once, and goes on until each has ended. */
export async function tortureRefinement(kills: number, seed: number, say: (line: string) => void = () => {}) {
  const random = mulberry32(seed)
  const none = { kills: 0, runs: 0, resumes: 0, calls: 0, notes: 0, forks: 0, refused: 0 }
  const tally: RefinementTally = { ...none, problems: [] }
  while (tally.kills < kills) {
    const stage = await newStage(ways[tally.runs % ways.length]!)
    const problems = await tortureOne(newCase({ stage, random, tally, most: kills }))
    tally.runs++
    tally.calls += stage.served().length
    tally.problems.push(...problems.map((problem) => `seed ${seed}, run ${tally.runs} (${stage.way}): ${problem}`))
    say(`seed ${seed}: ${JSON.stringify({ ...tally, problems: tally.problems.length })}`)
    if (problems.length) say(`${problems.join('\n')}\nkept: ${stage.root}`)
    stage.close({ keep: problems.length > 0 })
  }
  return tally
}

async function tortureOne(c: Case): Promise<string[]> {
  const run = await begin(c)
  if (run) await bringToEnd(c, run)
  return c.problems
}

/** Until there is a run: one that was killed before that has left nothing that looks like one. */
async function begin(c: Case): Promise<RunFolder | undefined> {
  for (let tries = 0; tries < 50; tries++) {
    const code = await startOnce(c, undefined, c.stage.words)
    const [run, second] = await c.stage.runs()
    if (second) c.problems.push('one start has made two runs')
    if (!run && code !== null) c.problems.push(`exit ${code} without a run`)
    if (!run) continue
    await look(c, run, code)
    return run
  }
  c.problems.push('never begun')
  return undefined
}

async function bringToEnd(c: Case, run: RunFolder): Promise<void> {
  for (let starts = 0; starts < 150 && c.problems.length === 0; starts++) {
    const { ended, question } = await stateOf(c, run)
    const goesOn = !ended || ended.ending === 'cancelled' || ended.reason.code === 'interrupted_too_often'
    if (!goesOn) return finish(c, run)
    if (question) await postTwo(c, run, ['answer', 'answer'])
    const before = linesOf(run)
    const code = await startOnce(c, run, ['resume', run.id])
    c.tally.resumes++
    await look(c, run, code)
    const now = linesOf(run)
    if (before.some((line, index) => line !== now[index])) c.problems.push('what was recorded has changed')
    const child = !c.forked && c.random() < 0.06 ? await forkAnywhere(c, run) : undefined
    if (child) await bringToEnd(c, child)
  }
  if (c.problems.length === 0) c.problems.push('never done')
}

const stateOf = async ({ stage }: Case, { dir }: RunFolder) => (await readRun(await runAt(dir, stage.program))).state

async function finish(c: Case, run: RunFolder): Promise<void> {
  const { stage, problems, forked } = c
  const { ending, reason } = (await stateOf(c, run)).ended!
  const code = ending === 'completed' ? 0 : 30
  if (code === 0) await handOverAgain(c, run)
  if (code !== 0 && stage.way !== 'weak') problems.push(`ended with ${reason.code}`)
  problems.push(...(await unheardNotes(stage, run)), ...(await problemsAtEnd(stage, run, code, forked)))
}

/** Whoever was killed before the text was handed over is followed by others who do it, and by one who has nothing left to do. */
async function handOverAgain(c: Case, run: RunFolder): Promise<void> {
  const { stage, tally, problems } = c
  const calls = stage.served().length
  for (let at = 1, spared = 0; spared < 2; at++) {
    const doomed = c.atEveryCall && spared === 0 && isDoomed(c)
    const child = stage.start(['resume', run.id], doomed ? `disk ${at}` : undefined)
    const code = await exitOf(child)
    if (code === null) tally.kills++
    else spared++
    if (code !== null && code !== 0) problems.push(`exit ${code} of a run that has completed: ${child.said()}`)
    lookAtText(c)
  }
  if (stage.served().length !== calls) problems.push('a run that has completed has called a model')
}
