import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bootId, processStart } from '../../src/adapters/stores/files/lease.ts'
import { isWhole } from '../support/sample.ts'
import { until } from '../surfaces/cli/pawl.ts'
import { type Faulty, newFaulty, problemsOf, processesOf, rawJournal, runFolders, tornIn } from './faulty.ts'

const iterations = 4
const run = ['run', 'build', '-n', String(iterations), '--trust']
const crashInSecond = '[ "$PAWL_STORY_ID" = iteration-2 ] && kill -9 $PPID'
const waitForGo = 'while [ ! -e go ]; do sleep 0.02; done'

async function newCrashed(): Promise<Faulty> {
  const pawl = newFaulty({ agent: crashInSecond })
  expect((await pawl.run(...run)).code).toBe(null)
  return pawl
}

const linesOf = (pawl: Faulty): number =>
  runFolders(pawl.runsDir).flatMap((dir) => rawJournal(dir).split('\n').slice(0, -1)).length

describe('an owner that was halted', () => {
  /** The first is halted in its second iteration, refused to a second process and then taken over by a third. */
  async function takeOver() {
    const pawl = newFaulty({ agent: '[ "$PAWL_STORY_ID" = iteration-2 ] && sleep 300' })
    const first = pawl.start(...run)
    onTestFinished(() => void first.child.kill('SIGKILL'))
    await until(() => linesOf(pawl) >= 9, 'the second iteration begins')
    await until(() => processesOf(pawl.runs()[0]!).length >= 2, 'its agent sleeps')
    first.child.kill('SIGSTOP')
    const refused = await pawl.run('resume', 'build')
    const heir = await pawl.run('resume', 'build', '--take-over')
    return { pawl, first, refused, heir }
  }

  test('is not passed over, is taken over on demand, and adds nothing when it goes on', async () => {
    const { pawl, first, refused, heir } = await takeOver()
    expect([refused.code, refused.err]).toEqual([10, expect.stringContaining(`pid ${first.child.pid} on `)])
    expect(heir.code).toBe(0)
    expect(await problemsOf(pawl.dirOf(), pawl.workspace, iterations)).toEqual([])
    const journal = rawJournal(pawl.dirOf())

    first.child.kill('SIGCONT')
    const { code, err } = await first
    expect([code, err]).toEqual([20, expect.stringContaining('another process has taken over this run')])
    expect(rawJournal(pawl.dirOf())).toBe(journal)
    expect((await pawl.run('fsck', 'build')).code).toBe(0)
  })

  test('leaves the result of its heir alone', async () => {
    const { pawl, first } = await takeOver()
    first.child.kill('SIGCONT')
    await first
    expect(await problemsOf(pawl.dirOf(), pawl.workspace, iterations)).toEqual([])
  })

  test('and goes on while the heir works: one journal, every iteration once, at ten moments', async () => {
    const problems: string[] = []
    for (let round = 0; round < (isWhole ? 10 : 4); round++) {
      const pawl = newFaulty()
      const first = pawl.start('run', 'build', '-n', '12', '--trust')
      onTestFinished(() => void first.child.kill('SIGKILL'))
      await until(() => linesOf(pawl) >= 3 + round * 3, 'it is at work')
      first.child.kill('SIGSTOP')
      const heir = pawl.start('resume', 'build', '--take-over')
      await until(() => fs.existsSync(join(pawl.dirOf(), 'lease-2')), 'the heir owns it')
      first.child.kill('SIGCONT')
      const [old, next] = await Promise.all([first, heir])
      const found = old.code === 20 ? [] : [`the old owner ended with ${old.code}: ${old.err}`]
      if (next.code !== 0) found.push(`the heir ended with ${next.code}: ${next.err}`)
      found.push(...(await problemsOf(pawl.dirOf(), pawl.workspace, 12)))
      problems.push(...found.map((problem) => `round ${round}: ${problem}`))
    }
    expect(problems).toEqual([])
  })
})

describe('starters in the same moment', () => {
  /** All are held at their first agent, so that nobody is done before the last one has tried. */
  async function race(pawl: Faulty, starters: number, words: readonly string[]): Promise<string[]> {
    const started = Array.from({ length: starters }, () => pawl.start(...words))
    const ended = new Map<number, { code: number | null; err: string }>()
    for (const one of started) void one.then((end) => ended.set(one.child.pid!, end))
    await until(() => ended.size >= starters - 1, `all but one of ${starters} end`, 30_000)
    await until(() => ended.size === starters || linesOf(pawl) >= 3, 'the last one is at work')
    fs.writeFileSync(join(pawl.workspace, 'go'), '')
    await Promise.all(started)
    const winners = [...ended].filter(([, { code }]) => code === 0).map(([pid]) => pid)
    const losers = [...ended].filter(([, { code }]) => code !== 0)
    return [
      ...(winners.length === 1 ? [] : [`${winners.length} of ${starters} ran`]),
      ...losers
        .filter(([, { code, err }]) => code !== 10 || !err.includes(`pid ${winners[0]} on `))
        .map(([, { code, err }]) => `a loser ended with ${code}: ${err}`),
      ...(runFolders(pawl.runsDir).length === 1 ? [] : [`${runFolders(pawl.runsDir).length} runs were made`]),
      ...(await problemsOf(pawl.dirOf(), pawl.workspace, iterations)),
    ]
  }

  test('many times two and once eight that run: one owner each, the others exit 10 and name it', async () => {
    const problems: string[] = []
    for (const starters of [...Array<number>(isWhole ? 20 : 4).fill(2), 8]) {
      problems.push(...(await race(newFaulty({ agent: waitForGo }), starters, run)))
    }
    expect(problems).toEqual([])
  })

  test('many times two and once eight that resume a crashed run', async () => {
    const problems: string[] = []
    for (const starters of [...Array<number>(isWhole ? 20 : 4).fill(2), 8]) {
      const pawl = newFaulty({ agent: `[ "$PAWL_STORY_ID" = iteration-1 ] && kill -9 $PPID; ${waitForGo}` })
      await pawl.run(...run)
      problems.push(...(await race(pawl, starters, ['resume', 'build'])))
    }
    expect(problems).toEqual([])
  })
})

describe('the lease that a crashed run left', () => {
  const here = { bootId: bootId(), pid: process.pid, pidStart: processStart(process.pid) }
  type Form = {
    readonly says: object | string
    readonly old?: boolean
    readonly exit: 0 | 10
    readonly because?: RegExp
  }
  const forms: Record<string, Form> = {
    'of a dead pid': { says: {}, exit: 0 },
    'of a pid that now is another process': { says: { ...here, pidStart: '1' }, exit: 0 },
    'of another boot, its pid alive now': { says: { ...here, bootId: 'before the reboot' }, exit: 0 },
    'of a living process': { says: here, exit: 10, because: new RegExp(`already running \\(pid ${process.pid} on `) },
    'of another host': {
      says: { host: 'elsewhere', bootId: 'of another machine' },
      exit: 10,
      because: /already running \(pid \d+ on elsewhere since /,
    },
    'empty, older than this boot': { says: '', old: true, exit: 0 },
    'empty, of this boot': { says: '', exit: 10, because: /cannot read .*lease-1, so the owner may still be running/ },
    'half written': { says: '{"host":"x', exit: 10, because: /cannot read .*lease-1/ },
  }
  const cases = ['the run', 'the name'].flatMap((whose) => Object.keys(forms).map((form) => [whose, form] as const))

  test.each(cases)('of %s, %s', async (whose, form) => {
    const pawl = await newCrashed()
    const folder = whose === 'the run' ? pawl.dirOf() : join(pawl.workspace, '.pawl', 'state', 'build.lock')
    const path = join(folder, 'lease-1')
    const left = JSON.parse(fs.readFileSync(path, 'utf8')) as object
    const { says, old, exit, because } = forms[form]!
    fs.writeFileSync(path, typeof says === 'string' ? says : JSON.stringify({ ...left, ...says }))
    if (old) fs.utimesSync(path, 1, 1)
    const before = rawJournal(pawl.dirOf())

    const { code, err } = await pawl.run('resume', 'build')
    expect([code, err]).toEqual([exit, expect.stringMatching(because ?? /^/)])
    if (exit === 10) {
      expect(rawJournal(pawl.dirOf())).toBe(before)
      expect((await pawl.run('resume', 'build', '--take-over')).code).toBe(0)
    }
    expect(await problemsOf(pawl.dirOf(), pawl.workspace, iterations)).toEqual([])
  })
})

describe('kill -9 of a resume of what was killed already', () => {
  const orphan = 'setsid nohup sleep 300 >/dev/null 2>&1 &'

  test('three deep, by its own agent, with an orphan each time: all ends, nothing is left', async () => {
    const early = 'case "$PAWL_STORY_ID" in *-[123])'
    const pawl = newFaulty({ agent: `${early} ${orphan} kill -9 $PPID ;; esac` })
    expect((await pawl.run('run', 'build', '-n', '6', '--trust')).code).toBe(null)
    const [id] = pawl.runs()
    for (const depth of [2, 3]) {
      expect((await pawl.run('resume', 'build')).code).toBe(null)
      expect(processesOf(id!).length, `orphans at depth ${depth}`).toBeGreaterThan(0)
    }
    expect((await pawl.run('resume', 'build')).code).toBe(0)
    expect(await problemsOf(pawl.dirOf(), pawl.workspace, 6)).toEqual([])
    expect(tornIn(pawl.dirOf())).toEqual([])
  })

  test('three deep, as soon as it owns the run: the last one still ends every orphan', async () => {
    const pawl = newFaulty({ agent: `[ "$PAWL_STORY_ID" = iteration-1 ] && { ${orphan} ${orphan} kill -9 $PPID; }` })
    await pawl.run('run', 'build', '-n', '3', '--trust')
    for (const depth of [2, 3, 4]) {
      const resume = pawl.start('resume', 'build')
      await until(() => fs.existsSync(join(pawl.dirOf(), `lease-${depth}`)), `owner ${depth}`)
      resume.child.kill('SIGKILL')
      expect((await resume).code).toBe(null)
    }
    expect((await pawl.run('resume', 'build')).code).toBe(0)
    expect(await problemsOf(pawl.dirOf(), pawl.workspace, 3)).toEqual([])
  })
})
