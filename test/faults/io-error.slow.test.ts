import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Faulty, needs, newFaulty, problemsOf, runFolders, settledIn, tornIn } from './faulty.ts'

const iterations = 3

// Only the main thread is traced: the program's own file calls, not those of the agent.
function failing(call: string, n: number, path?: string): string[] {
  const only = path ? ['-P', path] : []
  return ['strace', '-o', '/dev/null', ...only, '-e', `trace=${call}`, '-e', `inject=${call}:error=EIO:when=${n}`]
}

// What several files need is done by a thread of its own, here by a single one. The agent syncs nothing.
const failingAnywhere = (call: string, n: number): string[] => {
  const [strace, ...args] = failing(call, n)
  return ['env', 'UV_THREADPOOL_SIZE=1', strace!, '-f', ...args]
}

/** Fails the first call, then the second and so on until there is none left to fail. */
async function failEach(begin: () => Promise<Faulty>, fault: (pawl: Faulty, n: number) => string[], words: string[]) {
  const problems: string[] = []
  let [failed, harmless] = [0, 0]
  for (let n = 1; ; n++) {
    const pawl = await begin()
    const { code, err } = await pawl.runUnder(fault(pawl, n), ...words)
    // A call whose failure is harmless, such as that of the person's index, is no end yet; eight in a row are.
    if (code === 0 && ++harmless === 8) return { failed, problems }
    if (code === 0) continue
    harmless = 0
    failed++
    const found = code === 20 && err.includes('EIO') ? [] : [`exit ${code}: ${err}`]
    found.push(...runFolders(pawl.runsDir).flatMap(tornIn))
    const kept = runFolders(pawl.runsDir).flatMap(settledIn)
    const begun = runFolders(pawl.runsDir).length > 0
    // Where nothing was begun, not even the trust may be kept: the same command again.
    const again = await pawl.run(...(begun ? ['resume', 'build'] : words))
    const [dir] = runFolders(pawl.runsDir)
    if (again.code !== 0) found.push(`the healthy disk ended with ${again.code}: ${again.err}`)
    found.push(...kept.filter((task) => !settledIn(dir!).includes(task)).map((task) => `${task} is lost`))
    found.push(...(await problemsOf(dir!, pawl.workspace, iterations)))
    problems.push(...found.map((problem) => `call ${n}: ${problem}`))
  }
}

const run = ['run', 'build', '-n', String(iterations), '--trust']

for (const [call, fault, where, atLeast] of [
  ['fdatasync', failing, 'the main thread', 3],
  ['fsync', failing, 'the main thread', 3],
  ['fdatasync', failingAnywhere, 'any thread', 10],
  ['fsync', failingAnywhere, 'any thread', 7],
] as const) {
  test(`EIO of every single ${call} of ${where}: exit 20, nothing finished is lost or repeated`, async (context) => {
    needs(context, 'strace')
    const begin = async (): Promise<Faulty> => newFaulty({ agent: 'echo hello' })
    const { failed, problems } = await failEach(begin, (_pawl, n) => fault(call, n), run)
    expect(problems).toEqual([])
    expect(failed).toBeGreaterThanOrEqual(atLeast)
  })
}

test('EIO of every single write to the journal of a crashed run: exit 20, nothing is lost or repeated', async (context) => {
  needs(context, 'strace')
  const begin = async (): Promise<Faulty> => {
    const pawl = newFaulty({ agent: '[ "$PAWL_STORY_ID" = iteration-1 ] && kill -9 $PPID' })
    await pawl.run(...run)
    return pawl
  }
  const fault = (pawl: Faulty, n: number): string[] => failing('write', n, join(pawl.dirOf(), 'progress.ndjson'))
  const { failed, problems } = await failEach(begin, fault, ['resume', 'build'])
  expect(problems).toEqual([])
  expect(failed).toBeGreaterThan(15)
})
