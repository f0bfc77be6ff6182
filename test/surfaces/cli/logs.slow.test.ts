import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packages } from '../../agents/install.ts'
import { readTranscripts } from '../../agents/transcript.ts'
import { count, newWorkspace, until } from './pawl.ts'

type Known = 'claude' | 'codex' | 'opencode'
const recording = (agent: Known, scenario: string) =>
  readTranscripts(agent, packages[agent].version).find((one) => one.scenario === scenario)!

type Play = { readonly agent: Known; readonly scenario?: string; readonly stdout?: string; readonly waits?: true }

/** A workspace whose agent prints what the real one printed. With `waits` it then waits until the file `go` exists. */
function workspaceWith({ agent, scenario, stdout, waits }: Play, config: object = {}) {
  const played = scenario === undefined ? { stdout: '', stderr: '', exitCode: 0 } : recording(agent, scenario)
  const pawl = newWorkspace({ procedure: { agent, agent_script: undefined, ...config } })
  const bin = join(pawl.root, 'bin')
  fs.mkdirSync(bin)
  fs.writeFileSync(join(pawl.root, 'out'), stdout ?? played.stdout)
  fs.writeFileSync(join(pawl.root, 'err'), played.stderr)
  const wait = waits ? `until test -e '${pawl.root}/go'; do sleep 0.05; done` : ':'
  const script = `cat >/dev/null; cat '${pawl.root}/out'; cat '${pawl.root}/err' >&2; ${wait}; exit ${played.exitCode ?? 0}`
  fs.writeFileSync(join(bin, agent), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  pawl.env.PATH = `${bin}:${pawl.env.PATH}`
  return { ...pawl, go: () => fs.writeFileSync(join(pawl.root, 'go'), '') }
}

const start = ['run', 'build', '-n', '1', '--trust', '--plain'] as const
const lines = (text: string): string[] => text.trimEnd().split('\n')
const withoutTimes = (text: string): string[] => lines(text).map((line) => line.replace(/^\[[\d:]{8}\] /, ''))

test.each<[Known, string[], string]>([
  [
    'claude',
    ['> Bash echo checked >checked.txt; cat checked.txt; exit 3', '    Exit code 3', '    checked'],
    '2,141 tokens, $0.01',
  ],
  [
    'codex',
    ["> $ /bin/bash -lc 'echo checked >checked.txt; cat checked.txt; exit 3'", '    exit 3', '    checked'],
    '2,141 tokens',
  ],
  ['opencode', ['> bash echo checked >checked.txt; cat checked.txt; exit 3', '    checked'], '2,141 tokens, $0.00'],
])('logs --agent shows the conversation with %s', async (agent, tool, spent) => {
  const pawl = workspaceWith({ agent, scenario: 'shell' })
  expect((await pawl.run(...start)).code).toBe(0)
  const { code, out } = await pawl.run('logs', '--agent')
  expect(code).toBe(0)
  const [head, ...rest] = withoutTimes(out)
  expect(head).toMatch(new RegExp(`^== iteration-1 attempt 1, ${agent}, \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC ==$`))
  const said = rest.map((line) => line.trimEnd())
  expect(said.slice(0, -2)).toEqual(['I will look.', ...tool, 'All done.'])
  expect(said.at(-2)!.trim()).toBe('<promise>SUCCESS</promise>')
  expect(said.at(-1)).toMatch(new RegExp(`^== ok; ${spent.replace('$', '\\$')}; \\d+\\.\\ds ==$`))
})

test('any attempt can be chosen, also of a scripted agent; -n and --since take a part of it', async () => {
  const agent = [
    { when: { task: 'iteration-1' }, output: 'one\ntwo\nthree\n', usage: { tokens: 7, cost_usd: 0.5 } },
    { when: { task: 'iteration-2' }, output: 'four\n' },
  ]
  const pawl = newWorkspace({ agent })
  expect((await pawl.run('run', 'build', '-n', '2', '--trust')).code).toBe(0)
  const logs = async (...words: string[]) => (await pawl.run('logs', 'build', ...words, '--agent')).out
  expect(await logs()).toMatch(/^== iteration-2 attempt 1, scripted, .*\n\| four\n== ok; usage unknown; /)
  const first = await logs('iteration-1')
  expect(first).toMatch(/\n\| one\n\| two\n\| three\n== ok; 7 tokens, \$0\.50; /)
  expect(await logs('1')).toBe(first)
  expect(lines(await logs('1', '-n', '2')).slice(1, -1)).toEqual(['| two', '| three'])
  expect(lines(await logs('1', '--since', '1h')).slice(1, -1)).toHaveLength(3)
  expect(lines(await logs('1', '--since', '2999-01-01T00:00'))).toHaveLength(2)
  const json = lines(await logs('1', '--json')).map((line) => JSON.parse(line))
  const place = { run: pawl.runs()[0], task: 'iteration-1', attempt: 1, agent: 'scripted', at: null }
  expect(json[0]).toEqual({ ...place, kind: 'output', text: 'one' })
  expect(json.at(-1)).toEqual({
    ...place,
    kind: 'end',
    status: 'ok',
    detail: null,
    usage: { tokens: 7, costUsd: 0.5 },
    ms: expect.any(Number),
  })
  for (const [words, says] of [
    [['7', '--agent'], 'build has no attempt of 7'],
    [['1', '--agent', '--attempt', '2'], 'build has no attempt of 1, attempt 2'],
    [['--agent', '-n', 'many'], '-n takes a number, not many'],
    [['--agent', '--since', 'soon'], '--since takes a duration or a time, not soon'],
    [['--since', '1m'], '--since needs --agent'],
    [['--agent', '--output'], '--agent and --output exclude each other'],
  ] as const) {
    const refused = await pawl.run('logs', 'build', ...words)
    expect([refused.code, lines(refused.err)[0]]).toEqual([2, `pawl: ${says}`])
  }
})

test('a denied action is named in the lines of the run, in show, in why and in the journal', async () => {
  const pawl = workspaceWith({ agent: 'claude', scenario: 'denied' })
  await pawl.run(...start)
  const ended = pawl.journal().find(({ phase, status }) => phase === 'execute' && status === 'ok')
  expect(ended).toMatchObject({ context: { data: { denied: 1, denials: ['Write /repo/made.txt'] } } })
  expect((await pawl.run('show')).out).toContain(
    '1. the agent was denied permission once, in 1 attempt\n     | Write /repo/made.txt\n',
  )
  expect((await pawl.run('why')).out).toMatch(
    / {2}last {3}iteration-1 attempt 1: ok; .*\n {9}denied: Write \/repo\/made\.txt\n/,
  )
  expect((await pawl.run('logs', '--agent')).out).toContain('! denied: Write /repo/made.txt\n')
})

test('while a provider refuses, the run, show, why and logs -f say so', async () => {
  const retry = lines(recording('claude', 'auth-401').stdout).find((line) => line.includes('"api_retry"'))!
  const pawl = workspaceWith({ agent: 'claude', stdout: `${retry}\n`, waits: true })
  const run = pawl.start(...start)
  const says = 'provider error 401: authentication_failed, retry 1 of 2'
  await until(() => fs.existsSync(join(pawl.workspace, '.pawl/runs')) && pawl.runs().length > 0, 'a run')
  const follow = pawl.start('logs', '--agent', '-f')
  await until(() => follow.said().includes(says), 'the error in the transcript')
  expect((await pawl.run('show')).out).toContain(`1. ${says}\n`)
  expect((await pawl.run('why')).out).toContain(`\n         ${says}\n`)
  pawl.go()
  await run
  const { out } = await follow
  expect(count(lines(out), `! ${says}`)).toBe(1)
  expect(out).toMatch(/\n== failed: exit 0; the output ended without a result; usage unknown; .* ==\n$/)
})

test('-f goes on with the next attempt, and ends with the run', async () => {
  const agent = [
    { when: { task: 'iteration-1' }, output: 'first\n', silent_ms: 300 },
    { when: { task: 'iteration-2' }, output: 'second\n', silent_ms: 300 },
  ]
  const pawl = newWorkspace({ agent })
  const run = pawl.start('run', 'build', '-n', '2', '--trust')
  await until(() => run.said().includes('Iteration 1/2 starting'), 'the first iteration')
  const { code, out } = await pawl.run('logs', '-f', '--agent')
  expect(code).toBe(0)
  const told = lines(out).filter((line) => !line.startsWith('=='))
  expect(told).toEqual(['| first', '| second'])
  expect((await run).code).toBe(0)
})

test('-n reads a huge log from its end, and hostile output stays readable', async () => {
  const pawl = newWorkspace()
  expect((await pawl.run('run', 'build', '-n', '1', '--trust')).code).toBe(0)
  const log = join(pawl.dirOf(), 'attempts/iteration-1-attempt-1-agent.log')
  const file = fs.openSync(log, 'w')
  // A sparse file: no line break in the first gigabyte.
  const hostile = Buffer.concat([
    Buffer.from('\nbefore\n\u001b[2J\u001b]0;owned\u0007evil\u0007 ‮txt.exe\n'),
    Buffer.from([0xff, 0xfe, 0x0a]),
    Buffer.from(`${'long '.repeat(400_000)}\nlast\n`),
  ])
  fs.writeSync(file, hostile, 0, hostile.length, 1 << 30)
  fs.closeSync(file)
  const { code, out } = await pawl.run('logs', '--agent', '-n', '4')
  expect(code).toBe(0)
  expect(out).not.toMatch(/\p{Cc}(?<!\n)/u)
  const said = lines(out).slice(1, -1)
  expect(said[0]).toBe('| evil\\u{7} \\u{202e}txt.exe')
  expect(said.at(-1)).toBe('| last')
  expect(Math.max(...said.map(({ length }) => length))).toBeLessThan(600)
})
