import { describe, expect, test } from 'vitest'
import { count, newWorkspace, until } from '../../../surfaces/cli/pawl.ts'

const listed = async (pawl: ReturnType<typeof newWorkspace>) => (await pawl.run('ls')).out

describe('a paused run', () => {
  test('whose process has left goes on with resume alone', async () => {
    const pawl = newWorkspace({ agent: [{ delay_ms: 400 }] })
    const first = pawl.start('run', 'build', '-n', '2', '--trust')
    await until(() => first.said().includes('Iteration 1/2 starting'), 'iteration 1')
    expect((await pawl.run('pause')).out).toContain('To continue: pawl resume')
    const paused = await first
    expect([paused.code, paused.err]).toEqual([10, expect.stringContaining('paused. To continue: pawl resume build')])
    expect(await listed(pawl)).toMatch(/build +paused /)
    expect((await pawl.run('why')).out).toMatch(/is paused[\s\S]*next +pawl resume/)
    expect((await pawl.run('resume')).code).toBe(0)
    expect(count(pawl.names(), 'decide/done')).toBe(2)
    expect((await pawl.run('fsck')).code).toBe(0)
  })

  test('whose process is alive goes on there, with new bounds', async () => {
    const pawl = newWorkspace({ agent: [{ delay_ms: 300 }] })
    expect((await pawl.run('run', 'build', '-n', '1', '--trust', '--detach')).code).toBe(0)
    expect((await pawl.run('pause')).code).toBe(0)
    await expect.poll(() => listed(pawl), { timeout: 30_000 }).toMatch(/build +paused /)
    expect(JSON.parse((await pawl.run('ls', '--json')).out).runs[0]).toMatchObject({ waits: { for: 'resume' } })
    const refused = await pawl.run('resume', '--until', 'gates')
    expect([refused.code, refused.err]).toEqual([10, expect.stringContaining('runs in another process')])
    const told = await pawl.run('resume', '-n', '2')
    expect([told.code, told.out]).toEqual([0, expect.stringMatching(/continuing in its own process \(pid \d+\)/)])
    await until(() => pawl.names().includes('run/completed'), 'its end', 60_000)
    expect(count(pawl.names(), 'decide/done')).toBe(2)
  })

  test('that waits for a usage limit is told apart from one that is paused', async () => {
    const agent = [{ when: { attempt: 1 }, limit: { reset_in_ms: 600_000 }, exit: 1 }, { output: 'ok\n' }]
    const pawl = newWorkspace({ agent })
    const first = pawl.start('run', 'build', '-n', '1', '--trust')
    await until(() => first.said().includes('Waiting until'), 'the wait')
    await expect.poll(() => listed(pawl), { timeout: 30_000 }).toMatch(/build +usage limit until \d\d:\d\d /)
    expect((await pawl.run('resume', '--now')).code).toBe(0)
    expect((await first).code).toBe(0)
  })
})

describe('a spent bound', () => {
  const gates = ['false']

  test('is raised by resume, which says by how much', async () => {
    const pawl = newWorkspace({ procedure: { gates, failure_threshold: 100 } })
    await pawl.run('run', 'build', '-n', '2', '--trust')
    expect((await pawl.run('resume')).err).toContain('max_iterations raised from 2 to 4')
    expect((await pawl.run('resume', '-n', '5')).err).not.toContain('raised')
  })

  test('on money is raised only by its flag; every hint names the flag', async () => {
    const agent = [{ usage: { tokens: 60, cost_usd: 1 } }]
    const pawl = newWorkspace({ agent, procedure: { gates, failure_threshold: 100 } })
    const ended = await pawl.run('run', 'build', '--max-tokens', '100', '--max-cost', '2', '--trust')
    expect([ended.code, ended.err]).toEqual([30, expect.stringContaining('--max-cost USD --max-tokens N')])
    expect((await pawl.run('why')).out).toContain('--max-cost USD --max-tokens N')
    const before = pawl.names()
    for (const given of [[], ['--max-cost', '4'], ['-n', '9']]) {
      const refused = await pawl.run('resume', ...given)
      expect([refused.code, refused.err]).toEqual([10, expect.stringMatching(/pawl resume build .*--max-tokens N/)])
    }
    expect(pawl.names()).toEqual(before)
    expect((await pawl.run('resume', '--max-cost', '3', '--max-tokens', '180')).code).toBe(30)
    expect(count(pawl.names(), 'execute/started')).toBe(3)
  })
})
