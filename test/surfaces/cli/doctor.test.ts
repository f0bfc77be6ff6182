import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newWorkspace, until } from './pawl.ts'

type Finding = { check: string; status: string; says: string; fix?: string }
const findingsIn = (out: string): Finding[] => (JSON.parse(out) as { findings: Finding[] }).findings
/** The last line of the prompt that could be the text which is asked for. */
const obeys = `text=$(grep -x '[0-9a-f]\\{16\\}')`

function script(workspace: string, lines: string): string {
  const path = join(workspace, 'my-agent')
  fs.writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  return path
}

test('doctor proves that a process tree dies and the disk syncs, and looks at agents, git, configuration and runs', async () => {
  const { run } = newWorkspace()
  const { code, out, err } = await run('doctor', '--json')
  expect([code, err]).toEqual([0, ''])
  const findings = findingsIn(out)
  expect(findings.map(({ check }) => check)).toEqual([
    'node',
    'git',
    'git identity',
    'repository',
    'disk',
    'process tree',
    'process tree, by marker',
    'sandbox',
    'agent claude',
    'agent codex',
    'agent opencode',
    'model ollama',
    'configuration',
    'runs',
  ])
  expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
  expect(findings.filter(({ status, fix }) => status === 'weak' && !fix)).toEqual([])
})

test('an unfinished run is told with the command that continues it, and a broken configuration is 10', async () => {
  const pawl = newWorkspace({ agent: [{ when: { task: 'iteration-1' }, delay_ms: 60_000 }, {}] })
  const crashed = pawl.start('run', 'build', '-n', '3', '--trust')
  await until(() => crashed.said().includes('Iteration 1/3 starting'), 'the first iteration')
  crashed.child.kill('SIGKILL')
  await crashed
  const [id] = pawl.runs() as [string]
  const told = findingsIn((await pawl.run('doctor', '--json')).out).find(({ check }) => check === 'run build')
  expect(told).toEqual({
    check: 'run build',
    status: 'weak',
    says: `${id} is crashed after 1 attempt`,
    fix: `pawl resume ${id}`,
  })
  expect((await pawl.run('resume', id)).code).toBe(0)
  fs.appendFileSync(join(pawl.workspace, '.pawl', 'config.yml'), 'nonsense: 1\n')
  const broken = await pawl.run('doctor')
  expect([broken.code, broken.out]).toEqual([
    10,
    expect.stringMatching(/^fail +configuration +\.pawl\/config\.yml:\d+/m),
  ])
})

describe('probing', () => {
  test('an agent that works is ok, with what it reported; stdout stays JSON', async () => {
    const pawl = newWorkspace()
    const used = `echo '{"usage":{"tokens":42}}' > "$PAWL_RESULT_FILE"`
    const agent = script(pawl.workspace, `${obeys}; echo "$text" > probe.txt; ${used}`)
    const { code, out, err } = await pawl.run('doctor', '--probe', '--ai-cmd', agent, '--json')
    expect([code, err]).toEqual([0, `Asking ${agent} to create one small file. This is a real call.\n`])
    expect(findingsIn(out).at(-1)).toMatchObject({
      status: 'ok',
      says: expect.stringMatching(/created the file .* reported 42 tokens and no cost\)$/),
    })
  })

  test('an agent that claims to have worked is 10, with what to do about it', async () => {
    const pawl = newWorkspace()
    const agent = script(pawl.workspace, 'cat >/dev/null; echo "Done. probe.txt is written."')
    const { code, out } = await pawl.run('doctor', '--probe', '--ai-cmd', agent)
    expect(code).toBe(10)
    expect(out).toMatch(
      /^fail +probe .*created no file \(exit 0\): it probably needs permission to edit files; it said: Done\./m,
    )
    expect(out).toMatch(/allow it to edit files without asking/)
  })

  test('nothing that the repository configures is in force', async () => {
    const pawl = newWorkspace({ agent: [{ write: { '../owned': 'x' } }] })
    const planted = `agent_script: ${join(pawl.workspace, 'agent.yml')}\nai_cmd: touch ${join(pawl.root, 'owned')}\n`
    fs.appendFileSync(join(pawl.workspace, '.pawl', 'config.yml'), planted)
    const all = await pawl.run('doctor', '--probe', '--json')
    expect(findingsIn(all.out).at(-1)).toMatchObject({ check: 'probe', status: 'weak', says: 'no agent to probe' })
    const scripted = await pawl.run('doctor', '--probe', '--agent', 'scripted', '--json')
    expect(findingsIn(scripted.out).at(-1)).toMatchObject({ says: 'the scripted agent needs a script' })
    expect(fs.existsSync(join(pawl.root, 'owned'))).toBe(false)
  })

  test('an agent that nobody knows is one finding among the others', async () => {
    const { run } = newWorkspace()
    const { code, out } = await run('doctor', '--probe', '--agent', 'nobody', '--json')
    expect(code).toBe(10)
    expect(findingsIn(out).at(-1)).toMatchObject({ check: 'probe nobody', says: 'unknown agent: nobody' })
  })

  test('what to probe without --probe is misuse', async () => {
    expect((await newWorkspace().run('doctor', '--agent', 'claude')).code).toBe(2)
  })

  test('Ctrl-C ends the agent and the probe', async () => {
    const pawl = newWorkspace()
    const agent = script(pawl.workspace, `echo $$ > ${pawl.root}/pid; exec sleep 300`)
    const probing = pawl.start('doctor', '--probe', '--ai-cmd', agent)
    await until(
      () => fs.existsSync(join(pawl.root, 'pid')) && fs.statSync(join(pawl.root, 'pid')).size > 1,
      'the agent',
    )
    probing.child.kill('SIGINT')
    expect((await probing).code).toBe(130)
    const pid = fs.readFileSync(join(pawl.root, 'pid'), 'utf8').trim()
    expect(fs.existsSync(`/proc/${pid}`)).toBe(false)
  })
})
