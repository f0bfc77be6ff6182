import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exitCodes } from '../../../src/contract/exit.ts'
import { commands } from '../../support/commands.ts'
import { newWorkspace } from './pawl.ts'

const finished = async () => {
  const pawl = newWorkspace({ agent: [{ usage: { tokens: 1000, cost_usd: 0.25 } }, { exit: 4 }] })
  await pawl.run('run', 'build', '-n', '2', '--trust')
  return pawl
}

describe('help', () => {
  test('names the model, every command and every exit code, and is printed without loading anything', async () => {
    const { run } = newWorkspace()
    const help = (await run('--help')).out
    expect(help).toContain('A run works through tasks; a task gets attempts; an attempt gets a verdict; a rule decides')
    for (const { name, says } of commands) expect(help).toMatch(new RegExp(`^  ${name}\\b.*${says.slice(0, 20)}`, 'm'))
    for (const code of Object.keys(exitCodes)) expect(help).toMatch(new RegExp(`^  ${code} `, 'm'))
    for (const words of [[], ['-h'], ['help']]) expect((await run(...words)).out).toBe(help)
  })

  test('of each command shows its options and examples', async () => {
    const { run } = newWorkspace()
    for (const { name, options, examples } of commands) {
      const { code, out } = await run(name, '--help')
      expect([name, code]).toEqual([name, 0])
      for (const { flags } of options ?? []) expect(out).toContain(flags)
      for (const example of examples) expect(out).toContain(example)
    }
    expect((await run('help', 'run')).out).toBe((await run('run', '--help')).out)
  })
})

describe('misuse', () => {
  test.each([
    [['lss'], /unknown command 'lss'[\s\S]*Did you mean ls\?/],
    [['ls', '--al'], /unknown option '--al'[\s\S]*Did you mean --all\?/],
    [['run'], /missing required argument 'procedure'/],
    [['why', 'nothing-of-the-kind'], /no run is called nothing-of-the-kind/],
    [['clean', '--keep', '٣'], /--keep takes a whole number/],
    [['schema', 'confg'], /Did you mean config\?/],
    [['completion', 'tcsh'], /no completion for tcsh/],
    [['config', 'explain'], /pawl config explain <key>/],
  ])('%j exits 2 and says what is meant', async (words, message) => {
    const { run } = newWorkspace()
    const ended = await run(...words)
    expect([ended.code, ended.out]).toEqual([2, ''])
    expect(ended.err).toMatch(message)
    const json = await run(...words, '--json')
    expect(JSON.parse(json.out)).toMatchObject({ error: { exit: 2 } })
  })

  test('a wrong number of iterations is refused, in whatever spelling', async () => {
    const { run } = newWorkspace()
    for (const value of ['1e3', '0x3', '-1', '3.5', ' 3', '']) {
      const ended = await run('run', 'build', `--max-iterations=${value}`, '--trust')
      expect([value, ended.code]).toEqual([value, 2])
    }
    for (const words of [['-n1'], ['-n', '1'], ['--max-iterations=1']]) {
      expect((await run('run', 'build', ...words, '--trust', '--fresh')).code).toBe(0)
    }
  })

  test('an unknown procedure is 30 with the nearest, and configuration errors name file and line', async () => {
    const pawl = newWorkspace()
    const unknown = await pawl.run('run', 'biuld', '--trust')
    expect([unknown.code, unknown.err]).toEqual([30, expect.stringContaining('Did you mean build?')])
    fs.appendFileSync(join(pawl.workspace, '.pawl', 'config.yml'), 'failure_treshold: 2\n')
    const broken = await pawl.run('run', 'build', '--trust')
    expect([broken.code, broken.err]).toEqual([
      30,
      expect.stringMatching(/\.pawl\/config\.yml:\d+.*failure_treshold[\s\S]*failure_threshold/),
    ])
  })

  test('a program or prompt file that is not there is 30 before anything is spent', async () => {
    const pawl = newWorkspace()
    const missing = await pawl.run('run', 'build', '--ai-cmd', 'no-such-agent --x', '--trust')
    expect([missing.code, missing.err]).toEqual([30, expect.stringContaining('no such program: no-such-agent')])
    const other = newWorkspace({ procedure: { observe: 'missing.md' } })
    const file = await other.run('run', 'build', '--trust')
    expect([file.code, file.err]).toEqual([30, expect.stringContaining('cannot read the prompt file missing.md')])
    expect(fs.existsSync(join(other.workspace, '.pawl', 'runs'))).toBe(false)
  })

  test('no agent configured is 10 with what to do', async () => {
    const pawl = newWorkspace()
    fs.writeFileSync(join(pawl.workspace, '.pawl', 'config.yml'), 'procedures: { build: { observe: x } }\n')
    const ended = await pawl.run('run', 'build')
    expect([ended.code, ended.err]).toEqual([10, expect.stringContaining('no agent is configured')])
  })
})

describe('looking at runs', () => {
  test('why tells the rule, where it was set, what was spent and what continues it', async () => {
    const pawl = await finished()
    const { out } = await pawl.run('why')
    expect(out).toMatch(/ failed: reached max iterations/)
    expect(out).toMatch(
      /rule {3}max_iterations: reached max iterations: the last iteration failed \(bound 2\), set by --max-iterations/,
    )
    expect(out).toMatch(/last {3}iteration-2 attempt 1: failed: exit 4; verdict failed: exit 4/)
    expect(out).toMatch(/spent {2}2 of 2 iterations, at least 1,000 tokens, at least \$0\.25/)
    expect(out).toMatch(/next {3}pawl resume /)
    const json = JSON.parse((await pawl.run('why', '--json')).out)
    expect(json).toMatchObject({ standing: 'failed', rule: { by: 'tasks', setBy: '--max-iterations' } })
  })

  test('ls, show, logs, fsck and clean work on a finished run, for people and machines', async () => {
    const pawl = await finished()
    expect((await pawl.run('ls')).out).toMatch(/build +failed +2\/2/)
    expect(JSON.parse((await pawl.run('ls', '--json')).out)).toMatchObject({
      runs: [{ name: 'build', standing: 'failed' }],
    })
    expect((await pawl.run('show', 'build')).out).toMatch(/iteration-2 +1 +failed: exit 4 +failed: exit 4 +failed/)
    expect(JSON.parse((await pawl.run('show', '--json')).out).attempts).toHaveLength(2)
    expect((await pawl.run('logs')).out).toMatch(/Iteration 1\/2 completed/)
    const lines = (await pawl.run('logs', '--json')).out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(pawl.journal())
    expect((await pawl.run('fsck')).out).toMatch(/is intact: \d+ events/)
    expect((await pawl.run('clean', '--keep', '0')).out).toMatch(/would remove/)
    expect(pawl.runs()).toHaveLength(1)
    expect((await pawl.run('clean', '--keep', '0', '--yes')).code).toBe(0)
    expect(pawl.runs()).toHaveLength(0)
    expect((await pawl.run('ls')).out).toMatch(/No run/)
  })

  test('a run is found by id prefix, by name and by folder; an ambiguous prefix lists what it could be', async () => {
    const pawl = await finished()
    await pawl.run('run', 'build', '-n', '1', '--fresh')
    const [first, second] = pawl.runs().sort() as [string, string] // Ids sort by time.
    expect(JSON.parse((await pawl.run('why', first, '--json')).out).run).toBe(first)
    expect(JSON.parse((await pawl.run('why', join('.pawl', 'runs', first), '--json')).out).run).toBe(first)
    expect(JSON.parse((await pawl.run('why', 'build', '--json')).out).run).toBe(second)
    const ambiguous = await pawl.run('why', '2')
    expect([ambiguous.code, ambiguous.err]).toEqual([
      2,
      expect.stringMatching(new RegExp(`${second}[\\s\\S]*${first}`)),
    ])
  })

  test('terminal commands in what an agent or repository says are shown, not obeyed', async () => {
    const agent = [{ output: 'red \u001b[31m\u001b]0;owned\u0007 and \u202e back\n' }]
    const pawl = newWorkspace({ agent })
    await pawl.run('run', 'build', '-n', '1', '--trust')
    const { out } = await pawl.run('logs', '--output')
    expect(out).toContain('red \\u{1b}[31m\\u{1b}]0;owned\\u{7} and \\u{202e} back')
  })
})

describe('setup', () => {
  test('config shows every setting with its origin, and explains one', async () => {
    const pawl = newWorkspace({ procedure: { failure_threshold: 7 } })
    const all = JSON.parse((await pawl.run('config', '--json')).out)
    expect(all.settings.find((row: { key: string }) => row.key === 'failure_threshold')).toMatchObject({ value: 3 })
    const { out } = await pawl.run('config', 'explain', 'failure_threshold', '-p', 'build')
    expect(out).toMatch(/failure_threshold = 7\n {2}set by \.pawl\/config\.yml:\d+ \(procedure\)\n {2}overrides 3/)
  })

  test('every schema is JSON, and the published ones are what the files hold', async () => {
    const pawl = await finished()
    for (const name of JSON.parse((await pawl.run('schema', '--json')).out).schemas) {
      const schema = JSON.parse((await pawl.run('schema', name)).out)
      expect(schema).toHaveProperty('$schema')
    }
  })

  test('completion scripts are accepted by their shells', async () => {
    const { run, workspace } = newWorkspace()
    fs.writeFileSync(join(workspace, 'completion'), (await run('completion', 'bash')).out)
    const { spawnSync } = await import('node:child_process')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own array
    const script = '. ./completion && COMP_WORDS=(pawl res) COMP_CWORD=1 && _pawl && echo "${COMPREPLY[@]}"'
    const { stdout } = spawnSync('bash', ['-c', script], { cwd: workspace })
    expect(stdout.toString().trim()).toBe('resume')
  })
})
