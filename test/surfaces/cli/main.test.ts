import { describe, expect, test } from 'vitest'
import { PawlError } from '../../../src/contract/exit.ts'
import type { ProgramName } from '../../../src/contract/programs.ts'
import type { Machine } from '../../../src/run/machine.ts'
import { runCli } from '../../../src/surfaces/cli/main.ts'
import { listCommandSpecs } from '../../../src/surfaces/cli/table.ts'
import type { CliEntry, CommandSpec, Handler, Invocation } from '../../../src/surfaces/terminal/command.ts'
import { captureIo } from '../captured-io.ts'

/** A mode of one command, which keeps how it was called. */
function newEntry(spec: Partial<CommandSpec> = {}, handle: Handler = async () => 0) {
  const calls: Invocation[] = []
  const entry: CliEntry = {
    name: 'toy',
    load: () => Promise.reject(new Error('nobody needs the mode')),
    starts: {},
    schemas: {},
    commands: [
      {
        spec: { name: 'run', group: 'START', args: '<what>', says: 'plays', examples: ['pawl run x'], ...spec },
        load: async () => ({
          handle: (invocation) => {
            calls.push(invocation)
            return handle(invocation)
          },
        }),
      },
    ],
    resumeOptions: [{ flags: '--agent <name>', says: 'another agent' }],
  }
  return { entry, calls }
}

async function call(
  argv: readonly string[],
  { entry }: Pick<ReturnType<typeof newEntry>, 'entry'>,
  name: ProgramName = 'pawl',
) {
  const json = argv.includes('--json')
  const { io, ...said } = captureIo({ json })
  const environment = { program: name, cwd: '/repo', env: {}, home: '/home', folder: '.pawl', stateFolder: '/state' }
  const machine = { environment } as unknown as Machine
  return { exit: await runCli(argv, { machine, modes: [entry] }, [entry], io), ...said }
}

describe('a command line', () => {
  test('reaches the command with its arguments, its options and as it was typed', async () => {
    const options = [{ flags: '-c, --context <text>', says: 'more', repeatable: true as const }]
    const toy = newEntry({ options })
    const argv = ['run', 'build', '-c', 'a', '-c', 'b']
    expect((await call(argv, toy)).exit).toBe(0)
    expect(toy.calls).toMatchObject([{ args: ['build'], options: { context: ['a', 'b'] }, argv }])
  })

  test('a bare word is a start where the program is called so, unless it is a command', async () => {
    const toy = newEntry()
    await call(['build', '--json'], toy, 'rooda')
    expect(toy.calls).toMatchObject([{ args: ['build'], argv: ['build', '--json'] }])
    expect((await call(['build'], toy, 'pawl')).exit).toBe(2)
    expect((await call(['help', 'run'], toy, 'rooda')).out[0]).toMatch(/^rooda run <what>\n/)
    expect(toy.calls).toHaveLength(1)
  })

  test('help names every command, and that of one command its options', async () => {
    const toy = newEntry()
    const { out } = await call([], toy, 'santiago')
    expect(out[0]).toMatch(/^santiago: bounded loops/)
    for (const { name } of listCommandSpecs([toy.entry])) expect(out[0]).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    expect((await call(['--help'], toy)).out[0]).toMatch(/^pawl: bounded loops/)
    expect((await call(['resume', '--help'], toy)).out[0]).toMatch(/^ {2}--agent <name> +another agent$/m)
  })

  test('what a command throws is told with what to do, and is its exit code', async () => {
    const refuse = newEntry({}, () => Promise.reject(new PawlError(10, 'it is blocked', 'Wait.')))
    expect(await call(['run', 'x'], refuse, 'rooda')).toMatchObject({
      exit: 10,
      err: ['rooda: it is blocked', 'Wait.'],
    })
    expect((await call(['run', 'x', '--json'], refuse)).data).toEqual([
      { error: { message: 'it is blocked', hint: 'Wait.', exit: 10 } },
    ])
    const broken = newEntry({}, () => Promise.reject(new Error('oops')))
    expect(await call(['run', 'x'], broken)).toMatchObject({
      exit: 20,
      err: ['pawl: unexpected error: oops', expect.any(String)],
    })
  })

  test('misuse is told in the name that the program was called by', async () => {
    const { exit, err } = await call(['nothing-of-the-kind'], newEntry(), 'santiago')
    expect([exit, err.at(-1)]).toEqual([2, 'To list all commands: santiago --help'])
  })
})

describe('the table of commands', () => {
  test('is in groups; in a group the rank counts, and what has none comes first', () => {
    const first = newEntry({ name: 'first' }).entry
    const last = newEntry({ name: 'last', group: 'RUNS', rank: 99 }).entry
    const names = listCommandSpecs([last, first]).map(({ name }) => name)
    expect(names.slice(0, 3)).toEqual(['first', 'init', 'demo'])
    expect(names.slice(names.indexOf('ls'), names.indexOf('schema'))).toEqual([
      'ls',
      'show',
      'why',
      'logs',
      'resume',
      'answer',
      'feedback',
      'fork',
      'pause',
      'stop',
      'fsck',
      'clean',
      'serve',
      'worker',
      'queue',
      'last',
    ])
    expect(names.slice(names.indexOf('schema'))).toEqual(['schema', 'doctor', 'config', 'completion'])
  })

  test('resume takes the flags of every mode once', () => {
    const entries = [newEntry().entry, newEntry({ name: 'other' }).entry]
    const { options = [] } = listCommandSpecs(entries).find(({ name }) => name === 'resume')!
    expect(options.map(({ flags }) => flags)).toEqual([
      '-n, --max-iterations <n>',
      '--max-time <duration>',
      '--max-cost <usd>',
      '--max-tokens <n>',
      '-q, --quiet',
      '-v, --verbose',
      '--plain',
      '--trust',
      '--agent <name>',
      '-d, --detach',
      '--now',
      '--take-over',
    ])
  })
})
