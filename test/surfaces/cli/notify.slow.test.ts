import * as fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newWorkspace, until } from './pawl.ts'
import { atTerminal } from './pseudo-terminal.ts'

type Workspace = ReturnType<typeof newWorkspace>
const command = 'echo "$PAWL_NOTIFY_REASON" >> "$HOME/told.txt"'

/** A workspace whose runs tell what they have to tell into a file. */
function telling(options: Parameters<typeof newWorkspace>[0]): Workspace & { told(): string[] } {
  const pawl = newWorkspace({ ...options, env: { PAWL_NOTIFY: command, ...options?.env } })
  const file = join(pawl.root, 'told.txt')
  const told = (): string[] => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [])
  return { ...pawl, told }
}

async function killWhen(pawl: Workspace, condition: () => boolean, what: string, words: string[]): Promise<void> {
  const run = pawl.start(...words)
  await until(condition, what)
  run.child.kill('SIGKILL')
  await run
}

const has = (pawl: Workspace, name: string): boolean => {
  try {
    return pawl.names().includes(name)
  } catch {
    return false
  }
}

/** Told and known to be told; a kill between the two makes it told twice. */
const isMarked = (pawl: Workspace): boolean =>
  fs.existsSync(join(pawl.workspace, '.pawl', 'runs')) &&
  pawl.runs().length > 0 &&
  fs.existsSync(join(pawl.dirOf(), 'notified'))

test('each reason is told once', async () => {
  const done = telling({})
  expect((await done.run('run', 'build', '-n', '2', '--trust')).code).toBe(0)
  expect(done.told()).toEqual(['done'])
  expect((await done.run('resume')).code).toBe(0)
  expect(done.told()).toEqual(['done'])

  const failed = telling({ agent: [{ usage: { tokens: 300 } }] })
  await failed.run('run', 'build', '--max-tokens', '1000', '--trust')
  expect(failed.told()).toEqual(['budget-80', 'failed'])

  const asked = telling({ agent: [{ delay_ms: 600 }] })
  const first = asked.start('run', 'build', '-n', '2', '--trust')
  await until(() => first.said().includes('Iteration 1/2 starting'), 'iteration 1')
  await asked.run('pause')
  expect((await first).code).toBe(10)
  expect(asked.told()).toEqual(['needs-you'])
  await asked.run('answer')
  await asked.run('resume')
  expect(asked.told()).toEqual(['needs-you', 'done'])
})

test('a long wait is told when it begins, not again by who goes on waiting, and stop tells nothing', async () => {
  const agent = [{ when: { attempt: 1 }, limit: { reset_in_ms: 3_600_000 }, exit: 1 }, {}]
  const pawl = telling({ agent })
  await killWhen(pawl, () => isMarked(pawl), 'the mark', ['run', 'build', '-n', '1', '--trust'])
  expect(pawl.told()).toEqual(['waiting'])
  const again = pawl.start('resume')
  await until(() => again.said().includes('Resuming'), 'the wait again')
  await pawl.run('stop')
  expect((await again).code).toBe(130)
  expect(pawl.told()).toEqual(['waiting'])
})

test('killed with -9 before it came to tell, it tells on going on; killed after that, it does not tell again', async () => {
  const agent = [{ usage: { tokens: 900 } }]
  const pawl = telling({ agent, procedure: { gates: ['test -f go || sleep 60'], failure_threshold: 9 } })
  // The bound is crossed by the agent, and the event is not synced before the gate is done.
  const words = ['run', 'build', '--max-tokens', '1000', '--trust']
  await killWhen(pawl, () => has(pawl, 'call/ok'), 'the call', words)
  expect(pawl.told()).toEqual([])
  fs.writeFileSync(join(pawl.workspace, 'go'), '')
  fs.writeFileSync(join(pawl.workspace, 'agent.yml'), 'agent: [{ silent_ms: 60000, usage: { tokens: 50 } }]\n')
  await killWhen(pawl, () => isMarked(pawl), 'the mark', ['resume', 'build'])
  expect(pawl.told()).toEqual(['budget-80'])
  fs.writeFileSync(join(pawl.workspace, 'agent.yml'), 'agent: [{ usage: { tokens: 200 } }]\n')
  await pawl.run('resume', 'build')
  expect(pawl.told()).toEqual(['budget-80', 'failed'])
})

test('an end that nobody was told of is told by the next resume', async () => {
  const pawl = telling({
    env: { PAWL_NOTIFY: `if test -f "$HOME/go"; then ${command}; else touch "$HOME/began"; sleep 60; fi` },
  })
  await killWhen(pawl, () => fs.existsSync(join(pawl.root, 'began')), 'somebody is being told', [
    'run',
    'build',
    '-n',
    '1',
    '--trust',
  ])
  fs.writeFileSync(join(pawl.root, 'go'), '')
  expect((await pawl.run('resume')).code).toBe(0)
  expect(pawl.told()).toEqual(['done'])
  expect((await pawl.run('resume')).code).toBe(0)
  expect(pawl.told()).toEqual(['done'])
})

test('a failing command is one warning before the last line, and changes no exit code', async () => {
  const pawl = newWorkspace({ agent: [{ exit: 1 }], env: { PAWL_NOTIFY: 'exit 3' } })
  const ended = await pawl.run('run', 'build', '--trust')
  expect(ended.code).toBe(20)
  expect(ended.err.trim().split('\n').slice(-2)).toEqual([
    'pawl: the notify command failed (exit 3)',
    'To see why: pawl why build. To resume: pawl resume build',
  ])
})

test('a webhook of the environment is posted to, with --json as well, and the program does not linger', async () => {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
    request.on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const pawl = newWorkspace({ agent: [{ echo_prompt: true }], env: { PAWL_NOTIFY_WEBHOOK: address } })
  const run = pawl.start('run', 'build', '-n', '1', '--trust', '--json')
  await until(() => bodies.length > 0, 'the post')
  const told = performance.now()
  const ended = await run
  expect(performance.now() - told).toBeLessThan(3000)
  for (const line of ended.out.trim().split('\n')) JSON.parse(line)
  expect(ended.err).toBe('')
  const { text, reason, run_id } = JSON.parse(bodies.join('')) as Record<string, string>
  expect([reason, text, run_id]).toEqual([
    'done',
    'build is done: reached max iterations (1 iteration)',
    pawl.runs()[0],
  ])
})

test('a repository may name the command once it is trusted, and never the webhook', async () => {
  const pawl = newWorkspace()
  const file = join(pawl.workspace, '.pawl', 'config.yml')
  const own = fs.readFileSync(file, 'utf8')
  expect((await pawl.run('run', 'build', '-n', '1', '--trust')).code).toBe(0)
  fs.writeFileSync(file, `${own}notify: touch told\n`)
  const asked = await pawl.run('run', 'build', '-n', '1')
  expect([asked.code, asked.err]).toEqual([10, expect.stringContaining('notify: "touch told"')])
  expect((await pawl.run('run', 'build', '-n', '1', '--trust')).code).toBe(0)
  expect(fs.existsSync(join(pawl.workspace, 'told'))).toBe(true)
  fs.writeFileSync(file, `${own}notify_webhook: https://example.com/\n`)
  const refused = await pawl.run('run', 'build', '-n', '1', '--trust')
  expect([refused.code, refused.err]).toEqual([
    30,
    expect.stringMatching(/config\.yml:\d+:1 notify_webhook: a repository cannot set/),
  ])
})

test.each([
  ['a terminal', {}, [], '\u001b]9;build is done: reached max iterations (1 iteration)\u001b\\\u0007'],
  ['tmux', { TMUX: '/tmp/x' }, [], '\u0007'],
  ['--plain', {}, ['--plain'], '\u0007'],
  ['-q', {}, ['-q'], '\u0007'],
  ['bell: false', { PAWL_BELL: 'false' }, [], ''],
  ['--json', {}, ['--json'], ''],
])('with %s it rings accordingly', async (_, env, words, expected) => {
  const run = atTerminal(newWorkspace(), ['run', 'build', '-n', '1', '--trust', ...words], { env })
  expect(await run.ended).toBe(0)
  const said = run.said()
  const from = said.includes('\u001b]9') ? said.indexOf('\u001b]9') : said.indexOf('\u0007')
  expect(from < 0 ? '' : said.slice(from, said.lastIndexOf('\u0007') + 1)).toBe(expected)
})

test('without a terminal nothing rings', async () => {
  const ended = await newWorkspace().run('run', 'build', '-n', '1', '--trust')
  expect(ended.out + ended.err).not.toContain('\u0007')
})

test('ending a run runs nothing of it, even what was not told yet', async () => {
  const pawl = telling({ agent: [{ usage: { tokens: 900 } }, { delay_ms: 600_000 }] })
  const words = ['run', 'build', '--max-tokens', '1000', '--trust']
  await killWhen(pawl, () => isMarked(pawl), 'the mark', words)
  expect(pawl.told()).toEqual(['budget-80'])
  fs.rmSync(join(pawl.dirOf(), 'notified'))
  expect((await pawl.run('stop')).code).toBe(0)
  expect(pawl.names().at(-1)).toBe('run/cancelled')
  expect(pawl.told()).toEqual(['budget-80'])
})
