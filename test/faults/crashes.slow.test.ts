import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newWorkspace, until } from '../surfaces/cli/pawl.ts'
import { needs, newFaulty, problemsOf } from './faulty.ts'

// Each test runs the built program, brings one fault from outside and looks at what a person sees afterwards.

const crashInSecond = '[ "$PAWL_STORY_ID" = iteration-2 ] && kill -9 $PPID'
const run = ['run', 'build', '-n', '3', '--trust']

/** True once there is a run and this file in its folder. */
function isThere({ workspace }: { readonly workspace: string }, ...path: string[]): boolean {
  const runs = join(workspace, '.pawl', 'runs')
  const [id] = fs.existsSync(runs) ? fs.readdirSync(runs).filter((name) => name.startsWith('2')) : []
  return id !== undefined && fs.existsSync(join(runs, id, ...path))
}

const readBeat = (path: string): number =>
  (JSON.parse(fs.readFileSync(path, 'utf8') || '{"ms":0}') as { ms: number }).ms

test('an agent that is killed with its run again and again ends at the token bound, by what it had reported', async () => {
  const agent = [{ usage: { tokens: 900 }, silent_ms: 120_000 }]
  const pawl = newWorkspace({ agent, procedure: { max_tokens: 1000, durability: 'strict' } })
  for (const [index, words] of [
    ['run', 'build', '-n', '9', '--trust'],
    ['resume', 'build'],
  ].entries()) {
    const started = pawl.start(...words)
    onTestFinished(() => void started.child.kill('SIGKILL'))
    const report = `iteration-${index + 1}-attempt-1.json`
    await until(() => isThere(pawl, 'hand-over', report), 'it has spent', 60_000)
    started.child.kill('SIGKILL')
    await started
  }
  const last = await pawl.run('resume', 'build')
  expect(last.code).toBe(30)
  const why = await pawl.run('why', 'build')
  expect(why.out).toContain('1,800 of 1,000 tokens')
})

test('the time of a killed attempt counts against the time bound', async () => {
  const pawl = newFaulty({ agent: 'sleep 300', procedure: { max_time: '20s' } })
  const started = pawl.start(...run)
  onTestFinished(() => void started.child.kill('SIGKILL'))
  const beat = (): string => join(pawl.dirOf(), 'heartbeat')
  await until(() => isThere(pawl, 'heartbeat') && readBeat(beat()) >= 400, 'it works', 60_000)
  started.child.kill('SIGKILL')
  await started
  const ms = readBeat(beat())
  fs.writeFileSync(beat(), fs.readFileSync(beat(), 'utf8').replace(`"ms":${ms}`, '"ms":25000'))
  const { code } = await pawl.run('resume', 'build')
  expect(code).toBe(30)
  expect((await pawl.run('why', 'build')).out).toMatch(/spent .* [2-9]\d(\.\d)?s of 20(\.0)?s active/)
})

test('without its lease files, as after a restore, a run goes on and repeats nothing', async () => {
  const pawl = newFaulty({ agent: '[ -e "$PAWL_STORY_ID" ] && rm "$PAWL_STORY_ID" && kill -9 $PPID' })
  for (const name of ['iteration-2', 'iteration-3']) fs.writeFileSync(join(pawl.workspace, name), '')
  await pawl.run('run', 'build', '-n', '4', '--trust')
  await pawl.run('resume', 'build')
  for (const name of fs.readdirSync(pawl.dirOf())) {
    if (name.startsWith('lease-')) fs.rmSync(join(pawl.dirOf(), name))
  }
  expect((await pawl.run('resume', 'build')).code).toBe(0)
  expect(await problemsOf(pawl.dirOf(), pawl.workspace, 4)).toEqual([])
})

test('a run in another PID namespace is running, and is neither taken over nor ended', async (context) => {
  needs(context, 'namespaces')
  const pawl = newFaulty({ agent: 'while [ ! -e go ]; do sleep 0.05; done' })
  const inside = pawl.startUnder(['unshare', '-Urpf', '--mount-proc'], ...run)
  await until(() => fs.existsSync(join(pawl.workspace, 'work.txt')), 'its agent works', 60_000)
  const refused = await pawl.run('resume', 'build')
  expect([refused.code, refused.err]).toEqual([10, expect.stringContaining('in another container or PID namespace')])
  expect(refused.err).toContain('--take-over')
  const [listed] = (JSON.parse((await pawl.run('ls', '--json')).out) as { runs: { standing: string }[] }).runs
  expect(listed?.standing).toBe('running')
  fs.writeFileSync(join(pawl.workspace, 'go'), '')
  expect((await inside).code).toBe(0)
})

test('a changed request without a note, as after a kill in between, changes nothing', async () => {
  const pawl = newFaulty({ agent: crashInSecond })
  await pawl.run(...run)
  const request = JSON.parse(fs.readFileSync(join(pawl.dirOf(), 'request.json'), 'utf8'))
  request.with.agent.argv = ['touch', join(pawl.workspace, 'other-agent')]
  fs.writeFileSync(join(pawl.dirOf(), 'request.1.json'), JSON.stringify(request))
  expect((await pawl.run('resume', 'build')).code).toBe(0)
  expect(fs.existsSync(join(pawl.workspace, 'other-agent'))).toBe(false)
})

test('a stop that was sent before the run ended does not end it after it is reopened', async () => {
  const pawl = newFaulty()
  expect((await pawl.run('run', 'build', '-n', '1', '--trust')).code).toBe(0)
  fs.writeFileSync(join(pawl.dirOf(), 'inbox', '1.json'), JSON.stringify({ id: 1, by: 'ann', say: 'cancel', seen: 3 }))
  expect((await pawl.run('resume', 'build', '-n', '2')).code).toBe(0)
  expect(await problemsOf(pawl.dirOf(), pawl.workspace, 2)).toEqual([])
  expect((await pawl.run('stop', 'build')).code).toBe(2)
})

test('after the clock was set back, an unfinished run is still found', async () => {
  const pawl = newFaulty({ agent: '[ -e crash ] && kill -9 $PPID' })
  expect((await pawl.run('run', 'build', '-n', '1', '--trust')).code).toBe(0)
  const index = join(pawl.root, '.local', 'state', 'pawl', 'runs')
  const [name] = fs.readdirSync(index)
  const entry = JSON.parse(fs.readFileSync(join(index, name!), 'utf8'))
  fs.writeFileSync(join(index, name!), JSON.stringify({ ...entry, created: '2099-01-01T00:00:00.000Z' }))
  fs.writeFileSync(join(pawl.workspace, 'crash'), '')
  await pawl.run('run', 'build', '-n', '2')
  fs.rmSync(join(pawl.workspace, 'crash'))
  const again = await pawl.run('run', 'build', '-n', '1')
  expect([again.code, again.err]).toEqual([10, expect.stringContaining('build is unfinished')])
  expect((await pawl.run('resume', 'build')).code).toBe(0)
  expect(pawl.names(1)).toContain('run/completed')
})

test('a workspace that was moved is used where it is, and not made again where it was', async () => {
  const pawl = newFaulty({ agent: crashInSecond })
  await pawl.run(...run)
  const moved = join(pawl.root, 'moved')
  fs.renameSync(pawl.workspace, moved)
  const at = ['env', '-C', moved]
  const inMoved = async (...words: string[]) => {
    fs.mkdirSync(pawl.workspace, { recursive: true })
    const ended = await pawl.runUnder(at, ...words)
    const made = fs.readdirSync(pawl.workspace)
    fs.rmdirSync(pawl.workspace)
    expect(made).toEqual([])
    return ended
  }
  expect((await inMoved('ls')).out).toContain('build')
  const asked = await inMoved('resume', 'build')
  expect([asked.code, asked.err]).toEqual([10, expect.stringContaining('--trust')])
  expect((await inMoved('resume', 'build', '--trust')).code).toBe(0)
  const [id] = fs.readdirSync(join(moved, '.pawl', 'runs')).filter((name) => name.startsWith('2'))
  expect(await problemsOf(join(moved, '.pawl', 'runs', id!), moved, 3)).toEqual([])
})

test('another user is told whose the runs are', async (context) => {
  if (process.getuid?.() !== 0) context.skip('only root can become another user')
  const pawl = newFaulty({ agent: crashInSecond })
  await pawl.run(...run)
  for (const path of [pawl.root, pawl.workspace, join(pawl.workspace, '.pawl')]) fs.chmodSync(path, 0o755)
  fs.mkdirSync(join(pawl.root, 'other'), { mode: 0o777 })
  fs.chmodSync(join(pawl.root, 'other'), 0o777)
  const other = ['setpriv', '--reuid', '65534', '--clear-groups', 'env', `HOME=${join(pawl.root, 'other')}`]
  const { code: mayStart } = await pawl.runUnder(other, '--version')
  if (mayStart !== 0) context.skip('the other user may not read this program')
  for (const words of [['ls'], ['show'], ['show', 'build'], ['resume', 'build'], run]) {
    const { code, err } = await pawl.runUnder(other, ...words)
    expect([code, err]).toEqual([
      10,
      expect.stringMatching(/no access to .*\.pawl\/.*: it belongs to root, and you are nobody/),
    ])
  }
})

test('a run whose folder was deleted is not reported as saved', async () => {
  const pawl = newFaulty({ agent: '[ "$PAWL_STORY_ID" = iteration-2 ] && mv .pawl/runs/2* ../away' })
  const { code, err } = await pawl.run(...run)
  expect(code).toBe(20)
  expect(err).toMatch(/\.pawl\/runs\/\S+ is gone, and the record of this run with it/)
  expect(err).not.toContain('kept')
})
