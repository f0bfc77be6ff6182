import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ended, gateFailed, iteration, passed } from '../../support/written-events.ts'
import { otherEndings } from './golden.ts'
import { newWorkspace, until } from './pawl.ts'
import { writeRun } from './written-run.ts'

type Workspace = ReturnType<typeof newWorkspace>

/** Dates and names are given, so the commits have the same ids everywhere. */
function gitIn({ workspace, env }: Workspace) {
  const date = '2026-02-14T21:00:00Z'
  const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' }
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: workspace, env: { ...env, ...who, ...dates }, encoding: 'utf8' }).trim()
  const write = (path: string, text: string): void => {
    fs.mkdirSync(join(workspace, path, '..'), { recursive: true })
    fs.writeFileSync(join(workspace, path), text)
  }
  const commit = (subject: string): string => {
    git('add', '-A')
    git('commit', '-q', '-m', subject)
    return git('rev-parse', 'HEAD')
  }
  git('init', '-q', '-b', 'main')
  write('src/a.ts', 'one\n')
  write('test/a.test.ts', 'one\n')
  write('test/b.test.ts', 'two\n')
  return { git, write, commit, first: commit('first') }
}

const show = async (pawl: Workspace, ...words: string[]): Promise<string> => {
  const { code, out, err } = await pawl.run('show', ...words)
  expect([code, err]).toEqual([0, ''])
  // What commits are called depends on every byte of the scratch repository.
  return out.replace(/\b[0-9a-f]{10}\b/g, 'COMMIT')
}

describe('the report of a run that', () => {
  test('has completed: what changed comes from git', async () => {
    const pawl = newWorkspace()
    const { write, commit, first } = gitIn(pawl)
    write('src/a.ts', 'one\ntwo\n')
    const second = commit('Add two')
    write('docs/x.md', 'x\n')
    const third = commit('Document it')
    const facts = [
      ...iteration(1, passed(1), { tokens: 1200, costUsd: 0.02, data: { head: second, changed: true, denied: 0 } }),
      ...iteration(2, passed(1), { tokens: 800, costUsd: 0.01, data: { head: third, changed: true, denied: 0 } }),
      ...ended('completed', { code: 'max_iterations', iterations: 2 }, 'tasks'),
    ]
    writeRun(pawl.workspace, facts, { head: first, gates: ['npm test'], caps: { tasks: 2 } })
    await expect(await show(pawl)).toMatchFileSnapshot('golden/completed.txt')
    for (let index = 0; index < 12; index++) write(`more/${index}.txt`, 'x\n')
    commit('Later')
    const later = await show(pawl)
    expect(later).toMatch(
      /14 files, \+14 -0\n(?: {4}\S.*\n){10} {4}and 4 more\n {2}\(HEAD has moved since the run: later changes/,
    )
  })

  test('has failed: the gate that stood last, tests that were changed, denials', async () => {
    const pawl = newWorkspace()
    const { write, git, first } = gitIn(pawl)
    write('test/a.test.ts', 'weaker\n')
    git('rm', '-q', 'test/b.test.ts')
    write('.github/workflows/ci.yml', 'on: push\n')
    const facts = [
      ...iteration(1, passed(2)),
      ...iteration(2, gateFailed(1, 2), { data: { changed: false, denied: 2 } }),
      ...ended('failed', { code: 'max_iterations', iterations: 2 }, 'tasks'),
    ]
    const gates = ['npm run lint', 'npm test\nnpm run more']
    const { log } = writeRun(pawl.workspace, facts, { head: first, gates, caps: { tasks: 2 } })
    log('iteration-2-attempt-1-gate-2.log', 'FAIL test/a.test.ts\n\nexpected 3, got \u001b[31m4\n')
    await expect(await show(pawl)).toMatchFileSnapshot('golden/failed.txt')
    await expect(await show(pawl, '--format', 'github')).toMatchFileSnapshot('golden/failed.md')
  })

  test.each(Object.entries(otherEndings))('is %s', async (name, facts) => {
    const pawl = newWorkspace()
    writeRun(pawl.workspace, facts)
    await expect(await show(pawl)).toMatchFileSnapshot(`golden/${name}.txt`)
  })
})

describe('a run that is going on', () => {
  const slow = [{ when: { task: 'iteration-2' }, delay_ms: 60_000 }, { output: 'done\n' }]

  test('is shown with what it does now and for how long, by show and by why', async () => {
    const pawl = newWorkspace({ agent: slow })
    const running = pawl.start('run', 'build', '-n', '3', '--trust')
    await until(() => running.said().includes('Iteration 2/3 starting'), 'iteration 2')
    const shown = await show(pawl)
    expect(shown).toMatch(/^build is running iteration 2 since \d+\.\ds\n/)
    expect(shown).toMatch(/iteration-2 +1 +running +\d+\.\ds/)
    expect(shown).toMatch(/NEXT\n {2}pawl logs -f /)
    expect((await pawl.run('why')).out).toMatch(/ {2}now {4}running iteration 2 since \d+\.\ds\n/)
    const { underWay } = JSON.parse((await pawl.run('why', '--json')).out)
    expect(underWay).toMatchObject({ doing: 'attempt', task: 'iteration-2', attempt: 1 })
    expect(underWay.since).toBeLessThan(Date.now())
    running.child.kill('SIGTERM')
    await running
    expect(await show(pawl)).toMatch(/^build was interrupted by SIGTERM\n/)
  })

  test('says so while its gates run', async () => {
    const pawl = newWorkspace({ procedure: { gates: ['while [ ! -f go ]; do sleep 0.05; done'] } })
    const running = pawl.start('run', 'build', '-n', '1', '--trust')
    await until(() => running.said().includes('Iteration 1/1 starting'), 'iteration 1')
    await until(() => pawl.names().includes('execute/ok'), 'the gates')
    expect(await show(pawl)).toMatch(/^build is running the gates of iteration 1 since \d+\.\ds\n/)
    fs.writeFileSync(join(pawl.workspace, 'go'), '')
    expect((await running).code).toBe(0)
    expect(await show(pawl)).toMatch(/GATES\n {2}passed {2}while /)
  })
})

describe('a real run', () => {
  test('is told with its failed gate, the end of its output and the command that goes on', async () => {
    const agent = [{ write: { 'made.txt': 'x\n' }, usage: { tokens: 1000, cost_usd: 0.25 } }]
    const gates = ['true', 'echo first; echo "  the reason"; exit 3']
    const pawl = newWorkspace({ agent, procedure: { gates } })
    expect((await pawl.run('run', 'build', '-n', '1', '--trust')).code).toBe(30)
    const shown = await show(pawl, 'build')
    expect(shown).toMatch(/^build failed: reached max iterations: the last iteration failed\n/)
    expect(shown).toMatch(/1\. gate 2 failed in iteration-1: echo first; .*\n +\| first\n +\| {3}the reason\n/)
    expect(shown).toMatch(/\n +\.pawl\/runs\/\S+\/attempts\/iteration-1-attempt-1-gate-2\.log\n/)
    expect(shown).toMatch(/GATES\n {2}passed {2}true .*\n {2}failed {2}echo first/)
    expect(shown).toMatch(/iteration-1 +1 +ok +failed: gate .*… +failed +\d+\.\ds.* 1,000 +\$0\.25/)
    expect(shown).toMatch(/NEXT\n {2}pawl resume \S+\n$/)
    const report = JSON.parse(await show(pawl, '--json'))
    expect(report).toMatchObject({
      standing: 'failed',
      gates: [
        { gate: 0, command: 'true', status: 'passed' },
        { gate: 1, command: gates[1], status: 'failed' },
      ],
      attempts: [{ task: 'iteration-1', attempt: 1, outcome: 'ok', tokens: 1000, costUsd: 0.25 }],
      attemptsMade: 1,
      rule: { by: 'tasks' },
    })
    expect(report.lookFirst[0]).toMatchObject({ about: 'gate-failed', lines: ['first', '  the reason'] })
    expect(fs.readFileSync(report.lookFirst[0].log, 'utf8')).toContain('the reason')
  })

  test('is listed with how many of how many iterations it did', async () => {
    const pawl = newWorkspace()
    await pawl.run('run', 'build', '-n', '2', '--trust')
    await pawl.run('run', 'build', '-n', '0', '--fresh', '--max-time', '1ms')
    const runs = async () => JSON.parse((await pawl.run('ls', '--json')).out).runs as Record<string, unknown>[]
    expect((await runs()).map(({ did }) => did)).toEqual([
      { iterations: expect.any(Number), of: null },
      { iterations: 2, of: 2 },
    ])
    fs.writeFileSync(join(pawl.dirOf(0), 'progress.ndjson'), '{}\n{"seq":2,"context":{}}\n')
    expect((await runs())[1]).toMatchObject({ standing: 'damaged', did: null, problem: expect.any(String) })
    expect((await pawl.run('ls')).out).toContain('is damaged at byte')
  })

  test('is not shown in a format that there is none of', async () => {
    const pawl = newWorkspace()
    writeRun(pawl.workspace, [])
    const { code, err } = await pawl.run('show', '--format', 'constructor')
    expect([code, err]).toEqual([2, expect.stringMatching(/unknown format constructor\nKnown formats: text, github/)])
  })
})

describe('in a summary of CI', () => {
  test('nothing that an agent, a gate or a file says leaves its fence', async () => {
    const pawl = newWorkspace()
    const { write, commit, first } = gitIn(pawl)
    const evil = '````\n` # owned <img src=x> [link](http://x) @all'
    write('@everyone ```` <b>.md', 'x\n')
    commit(`${evil.replace('\n', ' ')} www.x.yz`)
    const facts = [
      ...iteration(1, { status: 'failed', detail: evil, data: { by: 'agent' } }),
      ...ended('blocked', { code: 'agent_blocked' }, 'policy'),
    ]
    const { log } = writeRun(pawl.workspace, facts, { head: first })
    log('iteration-1-attempt-1-agent.log', `${'`'.repeat(7)}\n::error::owned\n##[error]owned\n~~~\n</details>\n`)
    const markdown = await show(pawl, '--format', 'github')
    const outside = withoutCode(markdown)
    expect(outside).not.toMatch(/[<>@]|owned|http|www|error/)
    expect(outside).toMatch(/### LOOK AT FIRST/)
    for (const text of ['@everyone', '[link](http://x)', '</details>']) expect(markdown).toContain(text)
    expect(markdown).not.toMatch(/^\s*::|##\[/m)
  })
})

/** Markdown without its fences and code spans, as the specification reads them. */
function withoutCode(markdown: string): string {
  let fence = ''
  const lines = markdown.split('\n').filter((line) => {
    const mark = /^ {0,3}(`{3,})([^`]*)$/.exec(line)
    if (fence && mark && mark[1]!.length >= fence.length && mark[2]!.trim() === '') fence = ''
    else if (fence) return false
    else if (mark) fence = mark[1]!
    else return true
    return false
  })
  expect(fence).toBe('')
  return lines.join('\n').replace(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, '')
}
