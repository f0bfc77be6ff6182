import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkFence } from '../../../scripts/fence/check.ts'
import { copyWithMode, type Scratch } from './scratch.ts'

let scratch: Scratch
beforeAll(() => {
  scratch = copyWithMode()
})
afterAll(() => scratch.remove())

const journal = (): string => {
  const runs = join(scratch.workspace, '.pawl', 'runs')
  const [id] = fs.readdirSync(runs).filter((name) => !name.startsWith('.'))
  return fs.readFileSync(join(runs, id!, 'progress.ndjson'), 'utf8')
}

describe('a mode that is one folder and two lines', () => {
  test('touches nothing else, compiles, and keeps to the fence', () => {
    expect(scratch.touched).toEqual([
      "import { counting } from './modes/counting/entry.ts'",
      expect.stringMatching(/^const modes = \[.*, counting\]$/),
    ])
    expect(scratch.compile()).toBe('')
    expect(checkFence(join(scratch.folder, 'src'))).toEqual([])
  })

  test('stands in the help', () => {
    expect(scratch.pawl('count', '--help').stdout).toContain('count to a number')
    expect(scratch.pawl('--help').stdout).toMatch(/^ {2}count <number> +count to a number$/m)
  })

  test('starts, goes on after kill -9, is listed, shown and explained', async () => {
    const hold = 'test "$NUMBER" != 3 || until test -e go; do sleep 0.05; done'
    const killed = scratch.start('count', '4', '--command', hold)
    const runs = join(scratch.workspace, '.pawl', 'runs')
    while (!fs.existsSync(runs) || !isAtThree()) await delay(20)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect(scratch.pawl('ls').stdout).toMatch(/count +crashed +2\/4 numbers/)
    fs.writeFileSync(join(scratch.workspace, 'go'), '')
    const resumed = scratch.pawl('resume')
    expect([resumed.status, resumed.stderr]).toEqual([0, expect.not.stringContaining('fault')])
    expect(resumed.stdout).toMatch(/counted 3\n.*counted 4\n.*ended as completed/)
    const settled = journal()
      .split('\n')
      .filter((line) => /"phase":"decide".*"status":"done"/.test(line))
      .map((line) => (JSON.parse(line) as { story_id: string }).story_id)
    expect(settled).toEqual(['number-1', 'number-2', 'number-3', 'number-4'])
    expect(scratch.pawl('ls').stdout).toMatch(/count +completed +4\/4 numbers/)
    expect(JSON.parse(scratch.pawl('ls', '--json').stdout)).toMatchObject({ runs: [{ did: { numbers: 4, of: 4 } }] })
    expect(scratch.pawl('show').stdout).toMatch(/^count completed: counted to 4\n[\s\S]*COUNTED\n {2}4 numbers\n/)
    expect(JSON.parse(scratch.pawl('show', '--json').stdout)).toMatchObject({ mode: 'counting', counted: 4 })
    expect(scratch.pawl('why').stdout).toContain('count is completed: counted to 4, after 4 numbers')
    expect(scratch.pawl('logs').stdout).toMatch(/counted 1\n.*counted 2\n/)
    expect(scratch.pawl('fsck')).toMatchObject({ status: 0 })
    expect(scratch.pawl('feedback', 'count', 'louder').stderr).toContain('Numbers do not listen.')

    function isAtThree(): boolean {
      try {
        return journal().includes('"story_id":"number-3","phase":"execute","attempt":1,"status":"started"')
      } catch {
        return false
      }
    }
  })

  test('runs on the memory store as well', () => {
    const said = scratch.script(`
      import { openMemoryStore } from './adapters/stores/memory/store.ts'
      import { readEnvironment } from './machine/environment.ts'
      import { openMachine } from './machine/open-machine.ts'
      import { counting } from './modes/counting/entry.ts'
      import { executeRun } from './run/execution/execute.ts'
      import { listRuns } from './run/reports/list-runs.ts'
      import { openRun } from './run/open-run.ts'
      import { reportRun } from './run/reports/report.ts'
      const machine = openMachine(readEnvironment('pawl'), { modes: [counting], store: openMemoryStore() })
      const program = { machine, modes: [counting] }
      const start = await counting.starts.count()
      const { run } = await start.start(machine, { to: 2 }, { ask: async () => undefined, tell: () => {}, show: () => {} })
      const never = new AbortController().signal
      const surface = { notice: console.error, event: (event, view, lines) => lines.forEach((line) => console.log(line.join(''))) }
      const stop = { soft: never, hard: never, now: never }
      const { exit, result } = await executeRun(await openRun(program, run), { machine, stop, attended: false, mayShowWords: true, surface })
      const [listed] = await listRuns(program, {})
      const { headline } = await reportRun(program, run)
      console.log(JSON.stringify([exit, result.counted, listed.standing, listed.card.progress, headline]))
    `)
    expect(said.trim().split('\n')).toEqual([
      'counted 1',
      'counted 2',
      'ended as completed',
      JSON.stringify([0, 2, 'completed', '2/2 numbers', ['count ', { is: 'good', text: 'completed: counted to 2' }]]),
    ])
  })

  test('the compiler names every member that it lacks', () => {
    const path = join(scratch.folder, 'src', 'modes', 'counting', 'lacking.ts')
    const required = {
      mode: 'name request data reasons sealedBy load policy commands resuming feedback preflight hold compose result facts show',
      'mode.show': 'unit setting task doing wants lines live bounds question progress notices report why',
    }
    const parts = Object.entries(required).flatMap(([of, names]) =>
      names.split(' ').map(
        (name) => `export const { ${name}: _${of.length}${name}, ...without${of.length}${name} } = ${of}
export const lacks${of.length}${name}: typeof ${of} = without${of.length}${name}`,
      ),
    )
    fs.writeFileSync(path, `import { mode } from './mode.ts'\n${parts.join('\n')}\n`)
    const said = scratch.compile()
    fs.rmSync(path)
    for (const name of Object.values(required).flatMap((names) => names.split(' ')))
      expect(said).toContain(`Property '${name}' is missing`)
    expect(said.match(/error TS/g)).toHaveLength(Object.values(required).join(' ').split(' ').length)
  })
})
