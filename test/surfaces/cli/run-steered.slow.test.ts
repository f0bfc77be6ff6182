import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { count, newWorkspace, until } from './pawl.ts'

const slow = [{ when: { task: 'iteration-2' }, delay_ms: 60_000 }, { output: 'done\n' }]

describe('notes from elsewhere', () => {
  test('stop ends a running iteration: cancelled, 130', async () => {
    const pawl = newWorkspace({ agent: slow })
    const first = pawl.start('run', 'build', '-n', '3', '--trust')
    await until(() => first.said().includes('Iteration 2/3 starting'), 'iteration 2')
    expect((await pawl.run('stop', 'build')).out).toMatch(/Stopping build/)
    expect((await first).code).toBe(130)
    expect(pawl.names().slice(-2)).toEqual(['decide/stop', 'run/cancelled'])
  })

  test('pause, answer and go on; a wrong answer is refused at once', async () => {
    const pawl = newWorkspace({ agent: [{ delay_ms: 600 }] })
    const first = pawl.start('run', 'build', '-n', '2', '--trust')
    await until(() => first.said().includes('Iteration 1/2 starting'), 'iteration 1')
    expect((await pawl.run('pause')).code).toBe(0)
    expect((await first).code).toBe(10)
    expect((await pawl.run('why', '--json')).out).toContain('"standing":"waiting"')
    expect((await pawl.run('answer')).code).toBe(0)
    expect((await pawl.run('resume')).code).toBe(0)
    expect((await pawl.run('answer')).code).toBe(2)
  })

  test('a wait is skipped in the process that waits', async () => {
    const agent = [{ when: { attempt: 1 }, limit: { reset_in_ms: 600_000 }, exit: 1 }, { output: 'ok\n' }]
    const pawl = newWorkspace({ agent })
    const first = pawl.start('run', 'build', '-n', '1', '--trust')
    await until(() => first.said().includes('Waiting until'), 'the wait')
    expect((await pawl.run('resume', '--now')).out).toMatch(/skipping the wait/)
    expect((await first).code).toBe(0)
    expect(pawl.names()).toContain('wait/skipped')
  })

  test('a result that a crash kept from being written is written by the next open', async () => {
    const pawl = newWorkspace()
    await pawl.run('run', 'build', '-n', '1', '--trust')
    fs.rmSync(join(pawl.dirOf(), 'result.json'))
    expect((await pawl.run('resume')).code).toBe(0)
    expect(fs.existsSync(join(pawl.dirOf(), 'result.json'))).toBe(true)
  })

  test('a bound given to resume is a recorded raise; a completed run goes on only with one', async () => {
    const pawl = newWorkspace()
    await pawl.run('run', 'build', '-n', '1', '--trust')
    const before = pawl.names()
    const again = await pawl.run('resume')
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('is already completed')])
    expect(pawl.names()).toEqual(before)
    expect((await pawl.run('resume', '-n', '3')).code).toBe(0)
    expect(count(pawl.names(), 'decide/done')).toBe(3)
    expect(pawl.journal().find(({ status }) => status === 'reopened')).toMatchObject({
      context: { caps: { tasks: 3 } },
    })
  })

  test('each resume of a run that has used up a bound gives it once more, never twice as much', async () => {
    const pawl = newWorkspace({ procedure: { gates: ['false'], failure_threshold: 100 } })
    await pawl.run('run', 'build', '-n', '2', '--trust')
    for (const bound of [4, 6, 8]) {
      const ended = await pawl.run('resume')
      expect([ended.code, ended.out]).toEqual([
        30,
        expect.stringContaining(`Reached max iterations: ${bound}, not done yet `),
      ])
    }
    expect((await pawl.run('why')).out).toMatch(/bound 8\), set by resume by /)
  })

  test('an aborted run is reopened by resume with its failure count at 0', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }, { exit: 1 }, { exit: 1 }, {}] })
    expect((await pawl.run('run', 'build', '-n', '5', '--trust')).code).toBe(20)
    const ended = await pawl.run('resume')
    expect([ended.code, count(pawl.names(), 'task/picked')]).toEqual([0, 5])
  })
})

describe('tampering and damage', () => {
  test('a changed request is refused with 30', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '--trust')
    const path = join(pawl.dirOf(), 'request.json')
    fs.writeFileSync(path, fs.readFileSync(path, 'utf8').replace('agent.yml', 'other.yml'))
    const ended = await pawl.run('resume')
    expect([ended.code, ended.err]).toEqual([30, expect.stringContaining('was changed after the run started')])
  })

  test('a damaged journal is refused with its offset and left as it is; fsck tells', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '--trust')
    const path = join(pawl.dirOf(), 'progress.ndjson')
    const bytes = fs.readFileSync(path)
    bytes.fill(0, 900, 950)
    fs.writeFileSync(path, bytes)
    // With its snapshot the run could go on: what stands before that is not read again.
    fs.rmSync(join(pawl.dirOf(), 'snapshot.json'))
    const ended = await pawl.run('resume')
    expect([ended.code, ended.err]).toEqual([30, expect.stringMatching(/is damaged at byte \d+/)])
    expect(fs.readFileSync(path).equals(bytes)).toBe(true)
    expect((await pawl.run('fsck')).code).toBe(30)
  })

  test('a torn last line is cut, kept and told', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '--trust')
    fs.appendFileSync(join(pawl.dirOf(), 'progress.ndjson'), '{"seq":99,"half')
    const ended = await pawl.run('resume')
    expect(ended.err).toMatch(/cut off a torn last line \(15 bytes/)
    expect(fs.readFileSync(join(pawl.dirOf(), 'progress.ndjson.torn'), 'utf8')).toBe('{"seq":99,"half')
  })

  test('a run that somebody else put there is not gone on with before it is trusted', async () => {
    const victim = newWorkspace()
    const attacker = newWorkspace({ agent: [{ exit: 1 }] })
    await attacker.run('run', 'build', '--trust')
    const [id] = attacker.runs() as [string]
    const target = join(victim.workspace, '.pawl', 'runs', id)
    fs.cpSync(attacker.dirOf(), target, { recursive: true })
    for (const name of ['progress.ndjson', 'snapshot.json', 'result.json']) fs.rmSync(join(target, name))
    const request = JSON.parse(fs.readFileSync(join(target, 'request.json'), 'utf8'))
    request.workspace = victim.workspace
    request.with.agent.argv = ['/bin/sh', '-c', 'touch owned']
    fs.writeFileSync(join(target, 'request.json'), JSON.stringify(request))
    const refused = await victim.run('resume', 'build')
    expect([refused.code, refused.err]).toEqual([
      10,
      expect.stringMatching(/you did not start this run[\s\S]*touch owned/),
    ])
    expect(fs.existsSync(join(victim.workspace, 'owned'))).toBe(false)
    request.name = '../../../escape'
    fs.writeFileSync(join(target, 'request.json'), JSON.stringify(request))
    expect(JSON.parse((await victim.run('ls', '--json')).out).runs).toEqual([])
  })

  test('an agent that plants pipes, folders and links in the run folder neither hangs nor leads the engine', async () => {
    const plant = `cat >/dev/null; cd .pawl/runs/$PAWL_RUN_ID; mkfifo attempts/iteration-1-attempt-1-gate-1.log inbox/1.json
      mkdir inbox/2.json; echo '{' >inbox/3.json; touch inbox/9007199254740993.json; rm -f snapshot.json; mkfifo snapshot.json`
    const pawl = newWorkspace({
      procedure: { agent: undefined, ai_cmd: `sh -c '${plant.replaceAll("'", `'"'"'`)}'`, gates: ['echo hello'] },
    })
    const ended = await pawl.run('run', 'build', '-n', '1', '--trust')
    expect([ended.code, ended.err]).toEqual([0, expect.any(String)])
    expect((await pawl.run('why')).code).toBe(0)
    expect((await pawl.run('resume', '-n', '2')).code).toBe(0)
  })

  test('pipes in the place of every file of a run hang nobody', async () => {
    const pawl = newWorkspace({ agent: [{ exit: 1 }] })
    await pawl.run('run', 'build', '--trust')
    const dir = pawl.dirOf()
    for (const name of ['result.json', 'progress.ndjson', 'request.json']) {
      fs.rmSync(join(dir, name))
      execFileSync('mkfifo', [join(dir, name)])
      for (const command of ['ls', 'why', 'show', 'logs', 'fsck', 'resume']) {
        expect([name, command, (await pawl.run(command)).code]).not.toContain(null)
      }
    }
  })

  test('a journal that was shortened under the writer is noticed', async () => {
    const cut = 'sh -c "cat >/dev/null; for f in .pawl/runs/*/progress.ndjson; do truncate -s 300 $f; done"'
    const pawl = newWorkspace({ procedure: { agent: undefined, ai_cmd: cut, durability: 'strict' } })
    const ended = await pawl.run('run', 'build', '-n', '2', '--trust')
    expect([ended.code, ended.err]).toEqual([20, expect.stringContaining('another process has truncated it')])
  })
})
