import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventsAt } from '../support/runs.ts'
import { isWhole } from '../support/sample.ts'
import type { Ended } from '../surfaces/cli/pawl.ts'
import {
  type Faulty,
  needs,
  newFaulty,
  newMounts,
  problemsOf,
  rawJournal,
  runFolders,
  settledIn,
  tornIn,
} from './faulty.ts'

const iterations = 6
const page = 4096
const pages = 64

type SmallDisk = Awaited<ReturnType<typeof smallDisk>>

/** The runs of a workspace on a disk of 256 KiB of their own; HOME and the workspace itself have room. */
async function smallDisk(pawl: Faulty, target = pawl.runsDir) {
  fs.mkdirSync(target, { recursive: true })
  const mounts = await newMounts(`mount -t tmpfs -o size=${pages * page} none '${target}'`)
  const filler = join(mounts.see(target), 'filler')
  return {
    runs: mounts.see(pawl.runsDir),
    leave: (free: number) => fs.writeFileSync(filler, Buffer.alloc((freePages(filler) - free) * page)),
    free: () => fs.rmSync(filler),
    run: (...words: string[]): Promise<Ended> => pawl.runUnder(mounts.enter(pawl.workspace), ...words),
    end: mounts.end,
  }
}

function freePages(path: string): number {
  const { bfree, bsize } = fs.statfsSync(join(path, '..'))
  return (bfree * bsize) / page
}

/** With room again: goes on with what was begun, or begins where nothing was, and checks what must always hold. */
async function finish(pawl: Faulty, disk: SmallDisk): Promise<string[]> {
  const before = runFolders(disk.runs)
  const kept = before.flatMap(settledIn)
  const words = before.length ? ['resume', 'build'] : ['run', 'build', '-n', String(iterations), '--trust']
  const { code, err } = await disk.run(...words)
  const [dir] = runFolders(disk.runs)
  if (code !== 0 || !dir) return [`${words[0]} ended with ${code}: ${err}`]
  const lost = kept.filter((task) => !settledIn(dir).includes(task)).map((task) => `${task} was finished and is lost`)
  return [...lost, ...(await problemsOf(dir, pawl.workspace, iterations))]
}

describe('a full disk, strict', () => {
  test('at every level: exit 20, whole lines only, and all of it goes on when there is room', async (context) => {
    needs(context, 'namespaces')
    const failed: string[] = []
    const problems: string[] = []
    // A sample of the levels finds each place that can fail, too.
    for (let free = 0; ; free += isWhole ? 1 : 3) {
      const pawl = newFaulty({ agent: 'echo hello' })
      const disk = await smallDisk(pawl)
      disk.leave(free)
      const { code, err } = await disk.run('run', 'build', '-n', String(iterations), '--trust')
      if (code === 0) break
      failed.push(/(cannot create|progress\.ndjson|cannot save|lease|unexpected).*ENOSPC/.exec(err)?.[1] ?? err)
      const torn = runFolders(disk.runs).flatMap(tornIn)
      disk.free()
      const found = [...(code === 20 ? [] : [`exit ${code}: ${err}`]), ...torn, ...(await finish(pawl, disk))]
      problems.push(...found.map((problem) => `${free} pages free: ${problem}`))
      disk.end()
    }
    expect(problems).toEqual([])
    expect(failed.length).toBeGreaterThan(isWhole ? 12 : 4)
    for (const what of ['cannot create', 'progress.ndjson', 'cannot save']) expect(failed).toContain(what)
  })

  test('filled by the agent: the journal takes part of a line and gives it back, resume waits for room', async (context) => {
    needs(context, 'namespaces')
    // Bounds lengthen the first line, so that the page ends inside another event each time.
    const bounds = ['--max-time=9h', '--max-cost=99', '--max-tokens=999999999']
    const problems: string[] = []
    for (let variant = 0; variant < 8; variant++) {
      const pawl = newFaulty({
        agent: '[ "$PAWL_STORY_ID" = iteration-3 ] && cat /dev/zero 2>/dev/null >.pawl/runs/filler',
      })
      const disk = await smallDisk(pawl)
      const given = bounds.filter((_, index) => variant & (1 << index))
      const { code, err } = await disk.run(
        'run',
        'build',
        '-n',
        String(iterations),
        '--trust',
        '--allow-unknown-cost',
        ...given,
      )
      const [dir] = runFolders(disk.runs)
      const found = [...tornIn(dir!)]
      if (code !== 20 || !/ENOSPC.* To resume: pawl resume build/.test(err)) found.push(`exit ${code}: ${err}`)
      const before = rawJournal(dir!)
      const still = await disk.run('resume', 'build')
      if (still.code !== 20) found.push(`resume on the full disk ended with ${still.code}: ${still.err}`)
      if (!rawJournal(dir!).startsWith(before)) found.push('resume on the full disk lost something')
      disk.free()
      found.push(...(await finish(pawl, disk)))
      // A disk that was full is nobody's failed attempt.
      for (const event of eventsAt(dir!))
        if (event.type === 'attempt-ended' && !['ok', 'interrupted'].includes(event.outcome.status))
          found.push(`${event.task} is ${event.outcome.status}`)
      problems.push(...found.map((problem) => `variant ${variant}: ${problem}`))
      disk.end()
    }
    expect(problems).toEqual([])
  })

  test('a torn line is cut only where it can be kept aside', async (context) => {
    needs(context, 'namespaces')
    const pawl = newFaulty({ agent: '[ "$PAWL_STORY_ID" = iteration-2 ] && kill -9 $PPID' })
    const disk = await smallDisk(pawl)
    await disk.run('run', 'build', '-n', String(iterations), '--trust')
    const [dir] = runFolders(disk.runs)
    // More than the page that the dead owner's lease leaves when it goes.
    fs.appendFileSync(join(dir!, 'progress.ndjson'), `{"seq":99,"epo${'x'.repeat(2 * page)}`)
    const before = rawJournal(dir!)
    // One page for the lease, none for what is torn.
    disk.leave(1)
    const full = await disk.run('resume', 'build')
    expect([full.code, rawJournal(dir!)]).toEqual([20, before])
    disk.free()
    expect(await finish(pawl, disk)).toEqual([])
    expect(fs.readFileSync(join(dir!, 'progress.ndjson.torn'), 'utf8')).toContain('{"seq":99,"epo')
  })
})

describe('a full disk elsewhere', () => {
  const places = [
    ['the lease', '.pawl/runs', 2],
    ['the lock of the name', '.pawl/state', 0],
    ["the person's trust", '../.local', 0],
  ] as const
  for (const [what, path, free] of places) {
    test(`${what}: the message names the file and blames nobody`, async (context) => {
      needs(context, 'namespaces')
      const pawl = newFaulty()
      const disk = await smallDisk(pawl, join(pawl.workspace, path))
      disk.leave(free)
      const { code, err } = await disk.run('run', 'build', '-n', '1', '--trust')
      expect(code).toBe(20)
      expect(err).toMatch(/pawl: cannot (write|create) .*\/.*: ENOSPC/)
      expect(err).not.toMatch(/bug in pawl/)
    })
  }

  test('the listing of runs: the run goes on without it', async (context) => {
    needs(context, 'namespaces')
    const pawl = newFaulty()
    const disk = await smallDisk(pawl, join(pawl.workspace, '../.local'))
    disk.leave(1)
    const { code } = await disk.run('run', 'build', '-n', '1', '--trust')
    expect(code).toBe(0)
  })
})

describe('a full disk, best effort', () => {
  test('once begun the loop goes on to its end at every level, and says that resume is not available', async (context) => {
    needs(context, 'namespaces')
    const problems: string[] = []
    for (let free = 3; free < 16; free += 2) {
      const pawl = newFaulty({ agent: 'echo hello', procedure: { durability: 'best-effort', observe: ['notes.md'] } })
      const disk = await smallDisk(pawl)
      disk.leave(free)
      const { code, out, err } = await disk.run('run', 'build', '-n', String(iterations), '--trust')
      const lost = err
        .split('\n')
        .filter((line) => /ENOSPC.* The loop continues without a record; resume is not available\./.test(line))
      if (code !== 0 || lost.length !== 1 || !out.includes('Iteration 6/6 completed'))
        problems.push(`${free} pages free: exit ${code}: ${out}${err}`)
      disk.end()
    }
    expect(problems).toEqual([])
  })
})
