import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../../../support/folder.ts'
import { deliver, newDelivery, oneStory } from './santiago.ts'

const sum = "test('adds', () => {\n  expect(1 + 2).toBe(3)\n})\n"
const empty = "test('adds', () => {})\n"
const block = { policy: { tampering: 'block' } }
const story = ['test -s {story_id}']
const only = { ...block, verification: { story_commands: story, run_commands: [] } }
const written = (repo: string, path: string): string => fs.readFileSync(join(repo, path), 'utf8')

/** Whatever a shell can do: the agent is a script that lies outside of the repository. */
function byShell(options: Parameters<typeof newDelivery>[0], script: string) {
  const delivery = newDelivery(options)
  const agent = join(delivery.root, 'agent.sh')
  const teach = (text: string): void =>
    fs.writeFileSync(agent, `#!/bin/sh\ncat >/dev/null\n${text}\necho done\n`, { mode: 0o755 })
  teach(script)
  return { ...delivery, teach, execute: () => delivery.execute('--ai-cmd', agent) }
}

describe('what an attempt leaves behind does not verify the next one', () => {
  test('a runner that git does not see stays named until it is what it was', async () => {
    const runner = 'node_modules/.bin/vitest'
    const delivery = newDelivery({
      prd: oneStory,
      files: { '.gitignore': 'node_modules\n' },
      agent: [
        { when: { task: 'S1', attempt: 1 }, write: { [runner]: '#!/bin/sh\nexit 0\n', S1: 'x' } },
        { when: { task: 'S1', attempt: 2 }, write: { S1: 'y' } },
        { when: { task: 'S1', attempt: 3 }, write: { [runner]: '#!/bin/sh\ntest -s S1\n', S1: 'z' } },
      ],
      input: { ...block, verification: { story_commands: [`sh ${runner}`], run_commands: [] } },
    })
    delivery.write({ [runner]: '#!/bin/sh\ntest -s S1\n' })
    await delivery.plan()
    expect((await delivery.execute()).code).toBe(0)
    const [done] = delivery.result().stories
    expect([done!.status, done!.attempts]).toEqual(['done', 3])
    expect(done!.tampering).toEqual([expect.objectContaining({ kind: 'runner-replaced', path: runner, attempt: 2 })])
  })

  test('more touched tests than an event can name are all put back', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `test/a-rather-long-name-of-a-file-${index}.test.js`)
    const files = Object.fromEntries(names.map((name) => [name, sum]))
    const { code, result, repo } = await deliver({
      prd: oneStory,
      files,
      agent: [
        { when: { attempt: 1 }, write: { S1: 'x', ...Object.fromEntries(names.map((name) => [name, empty])) } },
        { when: { attempt: 2 }, write: { S1: 'y' } },
      ],
      input: only,
    })
    expect([code, result().stories[0]!.attempts]).toEqual([0, 2])
    expect(names.filter((name) => written(repo, name) !== sum)).toEqual([])
  })

  test('a test that was moved and weakened is back where it was', async () => {
    const { code, result, repo } = await deliver({
      prd: oneStory,
      files: { 'test/sum.test.js': sum },
      agent: [
        { when: { attempt: 1 }, write: { S1: 'x', 'test/more/sum.test.js': empty }, delete: ['test/sum.test.js'] },
        { when: { attempt: 2 }, write: { S1: 'y' } },
      ],
      input: only,
    })
    expect([code, result().stories[0]!.attempts]).toEqual([0, 2])
    expect(written(repo, 'test/sum.test.js')).toBe(sum)
  })

  test('a story that runs out of time leaves no weakened test to the next', async () => {
    const limits = { story_max_attempts: 1, run_max_attempts: 20, story_timeout_minutes: 0.05, run_timeout_minutes: 9 }
    const { result, repo } = await deliver({
      prd: oneStory,
      files: { 'test/sum.test.js': sum },
      agent: [{ write: { S1: 'x', 'test/sum.test.js': empty }, silent_ms: 60_000 }],
      input: { ...only, limits },
    })
    expect(result().reason).toBe('agent_timeout')
    expect(written(repo, 'test/sum.test.js')).toBe(sum)
  })

  test('code that weakens a test while it is verified is named, and the test put back', async () => {
    const { code, result, repo } = await deliver({
      prd: oneStory,
      files: { 'test/sum.test.js': sum },
      agent: [{ write: { S1: 'x', 'start.txt': 'echo > test/sum.test.js' } }],
      input: {
        ...block,
        limits: { story_max_attempts: 1 },
        verification: { story_commands: ['cat *.txt | sh; test -s S1'], run_commands: [] },
      },
    })
    expect(code).toBe(30)
    expect(result().stories[0]!.tampering).toEqual([expect.objectContaining({ path: 'test/sum.test.js' })])
    expect(written(repo, 'test/sum.test.js')).toBe(sum)
  })
})

test('a check that flips from red to green over no change proves nothing', async () => {
  const seen = join(newFolder(), 'seen')
  const flips = `test -e ${seen} || { touch ${seen}; exit 1; }`
  const { code, result } = await deliver({
    prd: oneStory,
    agent: [{ output: 'all done\n' }],
    input: { verification: { story_commands: [flips], run_commands: [] } },
  })
  expect([code, result().stories[0]!.evidence]).toEqual([0, 'unproven'])
})

describe('an agent that plays with branches', () => {
  test('and rewrites what was committed before is not followed: nothing is kept on that branch until it is back', async () => {
    const delivery = byShell({ prd: oneStory, input: only }, 'echo x > S1; git commit --amend -qm other')
    const before = delivery.git('rev-parse', 'HEAD')
    await delivery.plan()
    const { code } = await delivery.execute()
    expect([code, delivery.result().reason]).toEqual([10, 'blocked_dependency'])
    expect(delivery.result().detail).toContain(`git reset --soft ${before}`)
    delivery.git('reset', '--soft', before)
    expect((await delivery.execute()).code).toBe(0)
    expect(delivery.tries()).toEqual(['S1 1'])
  })

  test('and commits on one of its own loses nothing: back on the right one its files come along', async () => {
    const delivery = byShell({}, 'echo x > $PAWL_STORY_ID; git switch -qc own; git add -A; git commit -qm own')
    await delivery.plan()
    expect((await delivery.execute()).code).toBe(10)
    delivery.git('switch', '--quiet', 'work')
    delivery.teach('echo x > $PAWL_STORY_ID')
    expect((await delivery.execute()).code).toBe(0)
    expect(delivery.tries()).toEqual(['S1 1', 'S2 1', 'S3 1'])
  })
})

describe('a control plane that gives an out-dir a second time', () => {
  test('with another repository is refused: what is done there is not done here', async () => {
    const first = await deliver({ prd: oneStory, input: only })
    const second = newDelivery({ prd: oneStory, input: only })
    const { code, err } = await second.start(
      'execute',
      '--input',
      second.inputPath,
      '--plan',
      join(first.out, 'plan.json'),
      '--out-dir',
      first.out,
    )
    expect([first.code, code]).toEqual([0, 30])
    expect(err).toContain('for another repository')
  })

  test('with a plan that asks for more is not told that all is done', async () => {
    const delivery = await deliver({ prd: oneStory, input: only })
    delivery.write({ 'PRD.md': `${oneStory}- **AC-02:** The file \`S2\` is there.\n` })
    delivery.teach([{ when: { task: 'S2' }, write: { S2: 'x' } }])
    await delivery.plan()
    expect((await delivery.execute()).code).toBe(0)
    expect(delivery.tries()).toEqual(['S1 1', 'S2 1'])
  })
})

test('a command that hangs before anybody has worked costs the time of a story, not that of the run', async () => {
  const limits = { story_max_attempts: 1, run_max_attempts: 20, story_timeout_minutes: 0.05, run_timeout_minutes: 180 }
  const verification = { story_commands: ['test -s S1 || sleep 600'], run_commands: [] }
  const { code } = await deliver({ prd: oneStory, input: { ...block, limits, verification } })
  expect(code).toBe(0)
})

test('a secret that an agent writes into a file is in no file of the run', async () => {
  const secret = 'hunter2-hunter2-hunter2'
  const { code, out } = await deliver({
    prd: oneStory,
    agent: [{ write: { S1: `${secret}\n` }, output: `${secret}\n` }],
    input: { ...only, verification: { story_commands: ['cat S1'], run_commands: [] } },
    env: { SOME_API_KEY: secret },
  })
  const files = fs.readdirSync(out, { recursive: true, encoding: 'utf8' }).map((name) => join(out, name))
  const texts = files.filter((file) => fs.statSync(file).isFile()).map((file) => fs.readFileSync(file, 'utf8'))
  expect(code).toBe(0)
  expect(texts.filter((text) => text.includes('[secret]')).length).toBeGreaterThan(1)
  expect(texts.filter((text) => text.includes(secret))).toEqual([])
})
