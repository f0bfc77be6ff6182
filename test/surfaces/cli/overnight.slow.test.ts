import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { count, newWorkspace, until } from './pawl.ts'

type Pawl = ReturnType<typeof newWorkspace>

/** Makes the workspace a git repository with one commit. */
function inGit(pawl: Pawl): Pawl {
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: pawl.workspace })
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'start'],
  ])
    expect(git(...args).status).toBe(0)
  return pawl
}

const ended = (pawl: Pawl): string => {
  const { status, context } = pawl.journal().at(-1) as { status: string; context: { reason: object } }
  return `${status}: ${JSON.stringify(context.reason)}`
}

describe('stuck', () => {
  const stuck = { procedure: { stuck: 'stop' } }

  test('two iterations that change nothing end a run with 30 and a name; what git ignores is no change', async () => {
    const idle = newWorkspace({ ...stuck, agent: [{ append: { 'cache/x.log': 'x' } }] })
    fs.writeFileSync(join(idle.workspace, '.gitignore'), 'cache/\n')
    inGit(idle)
    const { code, out } = await idle.run('run', 'build', '-n', '9', '--trust')
    expect(code).toBe(30)
    expect(out).toContain('stuck: 2 iterations in a row changed nothing')
    expect(count(idle.names(), 'execute/ok')).toBe(2)
    expect((await idle.run('fsck')).code).toBe(0)
  })

  test('a run that changes a file each time goes on, also outside of git', async () => {
    for (const pawl of [newWorkspace({ ...stuck, agent: [{ append: { 'work.txt': 'x' } }] })]) {
      expect((await pawl.run('run', 'build', '-n', '4', '--trust')).code).toBe(0)
      expect((await inGit(pawl).run('run', 'build', '-n', '4', '--trust')).code).toBe(0)
    }
  })

  test('a gate that fails alike again and again is told from one that fails otherwise', async () => {
    const procedure = { stuck: 'stop', failure_threshold: 9, gates: ['echo "3 of $(date +%s%N) failed"; false'] }
    const pawl = newWorkspace({ procedure, agent: [{ append: { 'work.txt': 'x' } }] })
    expect((await pawl.run('run', 'build', '-n', '9', '--trust')).code).toBe(30)
    expect(ended(pawl)).toBe('failed: {"code":"stuck","by":"repeated","count":5}')
  })
})

describe('another agent on resume', () => {
  test('is a recorded note, is what runs from then on, and fsck follows it', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }], procedure: { gates: ['true'] } })
    expect((await pawl.run('run', 'build', '-n', '5', '--trust')).code).toBe(20)
    const resumed = await pawl.run('resume', 'build', '--ai-cmd', "sh -c 'echo new >>new.txt'", '--until', 'gates')
    expect(resumed.code).toBe(0)
    expect(resumed.err).toContain('pawl: the agent is now sh -c echo new >>new.txt')
    expect(pawl.names()).toContain('human/amended')
    expect(ended(pawl)).toBe('completed: {"code":"gates_green"}')
    expect(fs.readFileSync(join(pawl.workspace, 'new.txt'), 'utf8')).toBe('new\n')
    expect((await pawl.run('fsck')).code).toBe(0)
    expect((await pawl.run('resume', 'build', '-n', '7')).code).toBe(0)
    expect((await pawl.run('show', '--json')).code).toBe(0)
  })

  test('one that is not there is refused, and nothing is changed', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '-n', '5', '--trust')
    const before = pawl.names()
    expect((await pawl.run('resume', 'build', '--ai-cmd', 'no-such-program')).code).toBe(30)
    expect((await pawl.run('resume', 'build', '--agent', 'cluade')).err).toContain('Did you mean claude?')
    expect(pawl.names()).toEqual(before)
    expect(fs.readdirSync(pawl.dirOf()).filter((name) => name.startsWith('request'))).toEqual(['request.json'])
  })

  test('a request that somebody planted is not gone on with', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '-n', '5', '--trust')
    const request = JSON.parse(fs.readFileSync(join(pawl.dirOf(), 'request.json'), 'utf8'))
    request.with.agent.argv = ['touch', join(pawl.workspace, 'planted')]
    const text = JSON.stringify(request)
    fs.writeFileSync(join(pawl.dirOf(), 'request.1.json'), text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    const named = { path: 'request.1.json', sha256, bytes: text.length }
    const note = { id: 1, by: 'eve', say: 'amend', request: named, terms: {} }
    fs.writeFileSync(join(pawl.dirOf(), 'inbox', '1.json'), JSON.stringify(note))
    const { code, err } = await pawl.run('resume', 'build')
    expect([code, err]).toEqual([10, expect.stringContaining('you did not start this run')])
    expect(fs.existsSync(join(pawl.workspace, 'planted'))).toBe(false)
  })
})

describe('detached', () => {
  test('goes on without its terminal, can be watched and stopped, and one name runs once', async () => {
    const pawl = newWorkspace({ agent: [{ output: 'at work\n', append: { 'work.txt': 'x' }, silent_ms: 200 }] })
    const started = await pawl.run('run', 'build', '--detach', '--trust', '--json')
    expect(started.code).toBe(0)
    const { pid, run } = JSON.parse(started.out) as { pid: number; run: string }
    const session = (of: number | 'self') => fs.readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]!.split(' ')[3]
    expect(session(pid)).toBe(String(pid))
    expect(session('self')).not.toBe(String(pid))
    const second = await pawl.run('run', 'build', '--detach')
    expect([second.code, second.err]).toEqual([10, expect.stringContaining('build is already running')])
    const watching = pawl.start('logs', '-f', 'build')
    await until(() => watching.said().includes('Iteration 2 starting'), 'iteration 2 is seen')
    expect((await pawl.run('stop', 'build')).code).toBe(0)
    expect((await watching).code).toBe(0)
    await until(() => !fs.existsSync(`/proc/${pid}`), 'it has left')
    expect(ended(pawl)).toMatch(/^cancelled/)
    expect((await pawl.run('ls', '--json')).out).toContain(run)
  })

  test('resume takes up an ended run with new bounds in a process of its own', async () => {
    const pawl = newWorkspace({ agent: [{ append: { 'work.txt': 'x' } }] })
    await pawl.run('run', 'build', '-n', '1', '--trust')
    const { code, out } = await pawl.run('resume', 'build', '-n', '3', '--detach', '--json')
    expect(code).toBe(0)
    const { pid } = JSON.parse(out) as { pid: number }
    await until(() => !fs.existsSync(`/proc/${pid}`), 'it has left')
    expect(fs.readFileSync(join(pawl.workspace, 'work.txt'), 'utf8')).toBe('xxx')
  })
})

test('context by flag: files by their content, texts as they are, after what is configured', async () => {
  const pawl = newWorkspace({ procedure: { context: ['configured'] } })
  fs.writeFileSync(join(pawl.workspace, 'notes.json'), '{"note": 1}')
  const { out } = await pawl.run('run', 'build', '--dry-run', '-c', 'notes.json', '-c', 'be brief')
  const context = out.slice(out.indexOf('## CONTEXT'), out.indexOf('## OBSERVE')).replaceAll(pawl.workspace, '.')
  expect(context).toBe('## CONTEXT\n\nconfigured\n\nSource: ./notes.json\n\n{"note": 1}\n\nbe brief\n\n')
  expect((await pawl.run('run', 'build', '--dry-run', '-c', ' ')).code).toBe(2)
})

test('money: a bound by flag is refused where the agent does not tell, one in a file is warned of', async () => {
  const pawl = newWorkspace({ procedure: { agent: undefined, ai_cmd: 'true', max_cost: 3 } })
  expect((await pawl.run('run', 'build', '-n', '1', '--trust')).err).toContain('may have no effect')
  const refused = await pawl.run('run', 'build', '-n', '1', '--max-cost', '2')
  expect([refused.code, refused.err]).toEqual([30, expect.stringContaining('--max-cost 2 cannot be enforced')])
  expect((await pawl.run('run', 'build', '-n', '1', '--max-cost', '2', '--allow-unknown-cost')).code).toBe(0)
})

test('logs -f --output shows what agents and gates print, as they print it, until the run leaves', async () => {
  const procedure = { gates: ['echo the gate speaks'] }
  const pawl = newWorkspace({ procedure, agent: [{ output: 'the agent speaks\n', silent_ms: 700 }] })
  const run = pawl.start('run', 'build', '-n', '2', '--trust')
  await until(() => run.said().includes('Iteration 1/2 starting'), 'it runs')
  const watching = pawl.start('logs', '-f', '--output', 'build')
  await until(() => watching.said().includes('== iteration-2-attempt-1-agent.log =='), 'the second agent')
  await run
  const { code, out } = await watching
  expect(code).toBe(0)
  expect(out).toContain('== iteration-1-attempt-1-agent.log ==\nthe agent speaks\n')
  expect(out).toContain('the gate speaks')
})
