import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const program = join(import.meta.dirname, '../../../src/adapters/scripted/agent.ts')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-scripted-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string }

function play(script: string, env: Record<string, string> = {}, prompt = ''): Promise<Ended> {
  writeFileSync(join(folder, 'script.yml'), script)
  return start(env, prompt)
}

function start(env: Record<string, string> = {}, prompt = ''): Promise<Ended> {
  const child = spawn(process.execPath, [program, 'script.yml'], {
    cwd: folder,
    env: { PATH: process.env.PATH!, ...env },
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => (texts[name] += chunk))
  child.stdin.end(prompt)
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, ...texts })))
}

describe('what a step does', () => {
  test('output, stderr, the prompt and the exit code', async () => {
    const script = 'agent: [{ echo_prompt: true, output: " out", stderr: err, exit: 7 }]'
    expect(await play(script, {}, 'prompt')).toEqual({ code: 7, signal: null, stdout: 'prompt out', stderr: 'err' })
  })

  test('files are written, appended to and deleted', async () => {
    writeFileSync(join(folder, 'old'), 'old')
    await play('agent: [{ write: { a/b.txt: one }, append: { a/b.txt: two, log: x }, delete: [old, none] }]')
    expect(readFileSync(join(folder, 'a/b.txt'), 'utf8')).toBe('onetwo')
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('x')
    expect(existsSync(join(folder, 'old'))).toBe(false)
  })

  test.each(['../out', '/tmp/out', 'a/../../out', '.', 'link/out', 'link/new/out', 'file-link'])(
    'the path %s is refused',
    async (path) => {
      symlinkSync('..', join(folder, 'link'))
      symlinkSync('../pawl-nowhere', join(folder, 'file-link'))
      for (const step of [`write: { "${path}": x }`, `append: { "${path}": x }`]) {
        const ended = await play(`agent: [{ ${step} }]`)
        expect(ended.code).toBe(2)
        expect(ended.stderr).toContain(`path leaves the workspace: ${path}`)
      }
    },
  )

  test('deleting reaches no place outside either', async () => {
    expect((await play('agent: [{ delete: [../x] }]')).stderr).toContain('path leaves the workspace: ../x')
    symlinkSync(tmpdir(), join(folder, 'link'))
    expect((await play('agent: [{ delete: [link/pawl-none] }]')).stderr).toContain('path leaves the workspace')
  })

  test('usage and a limit go to the result file', async () => {
    const PAWL_RESULT_FILE = join(folder, 'result.json')
    const before = Date.now()
    await play('agent: [{ usage: { tokens: 12, cost_usd: 0.5 }, limit: { reset_in_ms: 60000 }, exit: 1 }]', {
      PAWL_RESULT_FILE,
    })
    const told = JSON.parse(readFileSync(PAWL_RESULT_FILE, 'utf8'))
    expect(told.usage).toEqual({ tokens: 12, cost_usd: 0.5 })
    expect(told.limit.reset_at).toBeGreaterThanOrEqual(before + 60_000)
    expect(told.limit.reset_at).toBeLessThanOrEqual(Date.now() + 60_000)
  })

  test('exactly so many bytes', async () => {
    expect((await play('agent: [{ bytes: 1000001 }]')).stdout.length).toBe(1_000_001)
  })

  test('it can end itself', async () => {
    expect(await play('agent: [{ output: x, kill_self: SIGKILL }]')).toMatchObject({
      code: null,
      signal: 'SIGKILL',
      stdout: 'x',
    })
  })

  test('delays are respected', async () => {
    const before = performance.now()
    await play('agent: [{ delay_ms: 150, silent_ms: 150 }]')
    expect(performance.now() - before).toBeGreaterThan(300)
  })

  test('it ignores the scripted signals and leaves children behind', async () => {
    const script =
      'agent: [{ ignore: [SIGINT, SIGTERM], fork: [{ seconds: 0.4 }, { seconds: 0.4, setsid: true, clear_env: true }], output: x }]'
    const before = performance.now()
    expect(await play(script)).toMatchObject({ code: 0, stdout: 'x' })
    // The children hold the output, so it closes with them.
    expect(performance.now() - before).toBeGreaterThan(400)
    writeFileSync(join(folder, 'script.yml'), 'agent: [{ ignore: [SIGTERM], output: ready, silent_ms: 300 }]')
    const child = spawn(process.execPath, [program, 'script.yml'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.once('data', () => child.kill('SIGTERM'))
    expect(await new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)))).toBe(0)
  })
})

describe('which step', () => {
  const script = `agent:
  - { when: { task: T2, attempt: 2 }, output: T2-2 }
  - { when: { task: T2 }, output: T2 }
  - { when: { attempt: 9 }, output: nine }
  - { output: first }
  - { output: second }
  - { output: last }
`
  test('one made for the task and attempt comes first', async () => {
    const at = async (task: string, attempt: string) =>
      (await play(script, { PAWL_STORY_ID: task, PAWL_ATTEMPT: attempt })).stdout
    expect(await at('T2', '2')).toBe('T2-2')
    expect(await at('T2', '1')).toBe('T2')
    expect(await at('T1', '9')).toBe('nine')
  })

  test('the others in order, the last again and again', async () => {
    const outputs: string[] = []
    for (let round = 0; round < 5; round += 1) outputs.push((await play(script)).stdout)
    expect(outputs).toEqual(['first', 'second', 'last', 'last', 'last'])
  })

  test('two started at once never take the same', async () => {
    const steps = Array.from({ length: 8 }, (_, index) => `  - { output: s${index} }`).join('\n')
    writeFileSync(join(folder, 'script.yml'), `agent:\n${steps}\n`)
    const ended = await Promise.all(Array.from({ length: 8 }, () => start()))
    expect(new Set(ended.map(({ stdout }) => stdout)).size).toBe(8)
  })

  test('no match: it reports so', async () => {
    const ended = await play('agent: [{ when: { task: T1 }, output: x }]', { PAWL_STORY_ID: 'T5', PAWL_ATTEMPT: '1' })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain('script.yml: no agent entry matches task T5 attempt 1')
  })
})
