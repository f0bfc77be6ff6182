import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deliver, honest, newDelivery, oneStory } from './santiago.ts'

const proof = (...story_commands: string[]) => ({ verification: { story_commands, run_commands: [] } })
const once = { limits: { story_max_attempts: 1 } }

describe('evidence', () => {
  test('green before and after a change is held, and that is all', async () => {
    const { code, result, tries } = await deliver({
      prd: oneStory,
      agent: [{ write: { S1: 'x' } }],
      input: proof('true'),
    })
    expect([code, result().stories[0]!.evidence, tries()]).toEqual([0, 'held', ['S1 1']])
  })

  test('green before, and nothing changed: done without proof, and said so', async () => {
    const { code, result } = await deliver({ prd: oneStory, agent: [{ output: 'done\n' }], input: proof('true') })
    expect([code, result().stories[0]!.evidence, result().detail]).toEqual([
      0,
      'unproven',
      expect.stringContaining('S1'),
    ])
  })

  test('green before, and an agent that failed and changed nothing is no success', async () => {
    const agent = [{ output: 'no such file\n', exit: 2 }]
    const { code, result } = await deliver({ prd: oneStory, agent, input: { ...proof('true'), ...once } })
    expect([code, result().reason, result().stories[0]!.because]).toEqual([
      20,
      'agent_exit_nonzero',
      expect.stringContaining('exit 2'),
    ])
  })

  test('it is tried once more where that is asked for, and fails where proof is', async () => {
    const input = (policy: object) => ({ ...proof('true'), policy })
    const more = await deliver({ prd: oneStory, agent: [{ output: 'done\n' }], input: input({ retry_unproven: true }) })
    expect([more.code, more.tries(), more.result().stories[0]!.evidence]).toEqual([0, ['S1 1', 'S1 2'], 'unproven'])
    const strict = await deliver({
      prd: oneStory,
      agent: [{ output: 'done\n' }],
      input: { ...input({ strict_evidence: true }), limits: { story_max_attempts: 2 } },
    })
    expect([strict.code, strict.tries().length, strict.result().stories[0]!.status]).toEqual([30, 2, 'failed'])
  })
})

describe('what was done stays done', () => {
  test('a story that breaks an earlier one is rejected, and told which command', async () => {
    const agent = [
      honest[0]!,
      { when: { task: 'S2', attempt: 1 }, write: { S2: 'x' }, delete: ['S1'] },
      { when: { task: 'S2' }, write: { S1: 'done\n', S2: 'x' } },
      honest[2]!,
    ]
    const { code, result, read } = await deliver({ agent })
    expect([code, result().stories[1]!.attempts]).toEqual([0, 2])
    expect(read('attempts/S2-attempt-1.md')).toContain('"test -s S1", which proves an earlier story, failed')
  })

  test('what an abandoned story left is out of the way before the next one, and kept aside', async () => {
    const agent = [{ when: { task: 'S1' }, write: { half: 'broken\n', 'PRD.md': 'gone' } }, ...honest]
    const { result, git, repo } = await deliver({ agent, input: once })
    expect(result().stories.map(({ status }) => status)).toEqual(['failed', 'skipped', 'done'])
    expect(fs.existsSync(join(repo, 'half'))).toBe(false)
    expect(git('show', 'refs/pawl/run_1/S1-abandoned-1:half')).toBe('broken')
    expect(git('ls-tree', '--name-only', 'refs/pawl/run_1/S3')).toBe('PRD.md\nS3')
    expect(git('diff', '--name-only', 'HEAD')).toBe('')
  })

  test('the last abandoned story leaves its work where it is, for whoever goes on by hand', async () => {
    const { repo } = await deliver({ prd: oneStory, agent: [{ write: { half: 'x' } }], input: once })
    expect(fs.existsSync(join(repo, 'half'))).toBe(true)
  })

  test('what a formatter among the commands makes of the work is what is kept; what commands add is not', async () => {
    const agent = [{ when: { task: 'S1' }, write: { S1: 'SHOUTED\n' } }]
    const commands = proof('test -s S1 && tr A-Z a-z < S1 > report.txt && cp report.txt S1')
    const { code, git, result } = await deliver({ prd: oneStory, agent, input: commands })
    expect([code, git('show', 'refs/pawl/run_1/S1:S1')]).toEqual([0, 'shouted'])
    expect(result().stories[0]!.because).toBe('verification itself changed S1')
  })
})

describe('a plan that comes back', () => {
  test('its stories are kept anew, and not taken for what was kept under it before', async () => {
    const letters = (what: string): string =>
      `# P\n\n## Acceptance Criteria\n\n- **AC-01:** The file \`S1\` holds ${what}.\n`
    const writes = (text: string) => [{ when: { task: 'S1' }, write: { S1: text } }]
    const delivery = newDelivery({ prd: letters('a'), agent: writes('a\n'), input: proof('test -s S1') })
    const next = async (what: string): Promise<number | null> => {
      delivery.write({ 'PRD.md': letters(what) })
      delivery.teach(writes(`${what}, anew\n`))
      await delivery.plan()
      return (await delivery.execute()).code
    }
    await delivery.plan()
    expect([(await delivery.execute()).code, await next('b'), await next('a')]).toEqual([0, 0, 0])
    const { commit } = delivery.result().stories[0]!
    expect(delivery.git('show', `${commit}:S1`)).toBe('a, anew')
  })
})

describe('what would not be kept', () => {
  test('is no success: a folder that is a repository of its own is rejected, and told how to mend', async () => {
    const delivery = newDelivery({ prd: oneStory, input: { ...proof('test -s app/S1'), ...once } })
    await delivery.plan()
    const scaffold =
      'mkdir app; cd app; git init -q; echo x > S1; git add -A; git -c user.name=A -c user.email=a@b commit -qm x'
    const { code } = await delivery.execute('--ai-cmd', `sh -c "${scaffold}"`)
    expect([code, delivery.result().stories[0]!.because]).toEqual([
      30,
      expect.stringContaining('app is a repository of its own'),
    ])
    expect(delivery.read('critique.md')).toContain('Remove the .git folder')
  })
})

describe('a failed attempt', () => {
  const agent = [
    { when: { task: 'S1', attempt: 1 }, write: { half: 'x' } },
    { when: { task: 'S1' }, write: { S1: 'x' } },
  ]

  test('is built on by the next one; its diff is kept', async () => {
    const { git, read } = await deliver({ prd: oneStory, agent })
    expect(git('ls-tree', '--name-only', 'refs/pawl/run_1/S1')).toBe('PRD.md\nS1\nhalf')
    expect(read('attempts/S1-attempt-1.md')).toContain('+++ b/half')
  })

  test('is taken back where that is asked for', async () => {
    const { git } = await deliver({ prd: oneStory, agent, input: { policy: { on_fail: 'restore' } } })
    expect(git('ls-tree', '--name-only', 'refs/pawl/run_1/S1')).toBe('PRD.md\nS1')
  })
})

describe('uncommitted work of a person', () => {
  test('is refused, included, or first kept under a name', async () => {
    const dirty = async (policy: string) => {
      const delivery = newDelivery({ prd: oneStory, input: { policy: { dirty: policy } } })
      delivery.write({ 'notes.txt': 'mine\n' })
      await delivery.plan()
      return { ...delivery, code: (await delivery.execute()).code }
    }
    const refused = await dirty('refuse')
    expect([refused.code, refused.result().reason, refused.result().detail]).toEqual([
      10,
      'blocked_dependency',
      expect.stringContaining('not committed'),
    ])
    const [included, snapshot] = [await dirty('include'), await dirty('snapshot')]
    for (const { code, repo } of [included, snapshot]) {
      expect([code, fs.readFileSync(join(repo, 'notes.txt'), 'utf8')]).toEqual([0, 'mine\n'])
    }
    expect(snapshot.git('show', 'refs/pawl/run_1/before:notes.txt')).toBe('mine')
  })
})

describe('pawl deliver', () => {
  const person = (agent: readonly object[] = honest, prd?: string) => {
    const delivery = newDelivery({ agent, name: 'pawl', env: { PAWL_SANDBOX: 'off' }, ...(prd && { prd }) })
    const script = join(delivery.root, 'agent.yml')
    const run = (...words: string[]) => delivery.start('deliver', 'PRD.md', '--verify', 'test -s {story_id}', ...words)
    const usual = ['--agent', 'scripted'] as const
    const env = { ...delivery.env, PAWL_AGENT_SCRIPT: script }
    Object.assign(delivery.env, env)
    return { ...delivery, deliver: (...more: string[]) => run(...usual, ...more) }
  }

  test('says first what it will do and at most spend; a dry run ends there', async () => {
    const { start, git } = person()
    const dry = await start('deliver', 'PRD.md', '--verify', 'test -s {story_id}', '--dry-run')
    expect(dry.code).toBe(0)
    for (const part of [
      '3 stories',
      'S2',
      'after S1',
      'test -s {story_id}',
      'at most 4 attempts per story, 20 in total',
    ])
      expect(dry.out).toContain(part)
    const nothing = await start('deliver', 'PRD.md', '--agent', 'scripted')
    expect([nothing.code, nothing.err]).toEqual([30, expect.stringContaining('no verification configured')])
    expect(git('status', '--short')).toBe('')
  })

  test('commits each verified story with its trailers, and nothing else', async () => {
    const delivery = person()
    expect((await delivery.deliver()).code).toBe(0)
    expect(delivery.git('log', '--format=%s', '--reverse')).toBe(
      [
        'before',
        'S1: The file `S1` is there.',
        'S2: The file `S2` is there. Depends on AC-01.',
        'S3: The file `S3` is there.',
      ].join('\n'),
    )
    expect(delivery.git('log', '-1', '--format=%(trailers:key=Pawl-Story,valueonly)')).toBe('S3')
    expect([delivery.git('show', '--format=', '--name-only', 'HEAD'), delivery.git('status', '--short')]).toEqual([
      'S3',
      '',
    ])
    const shown = await delivery.start('show')
    for (const part of ['STORIES', 'proven', '3 commits']) expect(shown.out).toContain(part)
  })

  test('again: goes on with what is not done; complete, it says so; --fresh begins anew', async () => {
    const delivery = person([honest[0]!, { when: { task: 'S2' }, exit: 1 }, honest[2]!])
    expect((await delivery.deliver('--attempts', '1')).code).toBe(20)
    delivery.teach(honest)
    const second = await delivery.deliver('--attempts', '1')
    expect([second.code, second.out]).toEqual([0, expect.stringContaining('Resuming prd: 2 of 3 stories done')])
    expect(delivery.git('rev-list', '--count', 'HEAD')).toBe('4')
    const third = await delivery.deliver('--attempts', '1')
    expect([third.code, third.err]).toEqual([0, expect.stringContaining('is already completed')])
    const fresh = await delivery.deliver('--fresh')
    expect([fresh.code, delivery.git('rev-list', '--count', 'HEAD')]).toEqual([0, '4'])
  })

  test('undo takes one story back by a commit, once; refuses what later work builds on', async () => {
    const agent = [
      honest[0]!,
      { when: { task: 'S2' }, write: { S2: 'x\n', shared: 'one\n' } },
      { when: { task: 'S3' }, write: { S3: 'x', shared: 'two\n' } },
    ]
    const delivery = person(agent)
    await delivery.deliver()
    expect((await delivery.start('undo', 'S1')).code).toBe(0)
    expect([fs.existsSync(join(delivery.repo, 'S1')), delivery.git('status', '--short')]).toEqual([false, ''])
    expect((await delivery.start('undo', 'S1')).code).toBe(2)
    expect(delivery.git('rev-list', '--count', 'HEAD')).toBe('5')
    const built = await delivery.start('undo', 'S2')
    expect([built.code, built.err]).toEqual([10, expect.stringContaining('shared')])
  })

  test('goes on only on the branch that it began on, and tells two PRDs of one name apart', async () => {
    const delivery = person([honest[0]!, { when: { task: 'S2' }, exit: 1 }, honest[2]!])
    expect((await delivery.deliver('--attempts', '1')).code).toBe(20)
    delivery.git('switch', '--quiet', '--create', 'other')
    const elsewhere = await delivery.deliver('--attempts', '1')
    expect([elsewhere.code, elsewhere.err]).toEqual([10, expect.stringContaining('is on branch work')])
    delivery.git('switch', '--quiet', 'work')
    delivery.write({ 'other/PRD.md': oneStory })
    delivery.git('add', '--all')
    delivery.git('commit', '--quiet', '--message', 'another PRD')
    const words = ['deliver', 'other/PRD.md', '--agent', 'scripted', '--verify', 'test -s S1', '--dry-run', '--json']
    expect(JSON.parse((await delivery.start(...words)).out)).toMatchObject({ dry_run: { name: 'other-prd' } })
  })

  test('what a person put into the work tree in between is named, and kept where it is taken back', async () => {
    const delivery = person([{ when: { task: 'S1' }, append: { junk: 'x\n' } }], oneStory)
    expect((await delivery.deliver('--attempts', '1')).code).toBe(30)
    delivery.write({ 'mine.txt': 'mine\n' })
    const restoring = ['--attempts', '2', '--on-fail', 'restore']
    for (const [dirty, code] of [
      ['refuse', 10],
      ['include', 30],
    ] as const) {
      const again = await delivery.deliver(...restoring, '--dirty', dirty)
      expect([again.code, again.err]).toEqual([code, expect.stringContaining('mine.txt')])
    }
    const refs = delivery.git('for-each-ref', '--format=%(refname)', 'refs/pawl').split('\n')
    const holding = refs.filter((ref) => delivery.git('ls-tree', '--name-only', ref).split('\n').includes('mine.txt'))
    expect(holding.length).toBeGreaterThan(0)
  })

  test('a single attempt that changes nothing and is green is done without proof, not failed', async () => {
    const { start, git } = person([{ output: 'done\n' }], oneStory)
    const words = ['deliver', 'PRD.md', '--agent', 'scripted', '--verify', 'true', '--attempts', '1']
    expect([(await start(...words)).code, git('rev-list', '--count', 'HEAD')]).toEqual([0, '1'])
  })

  test('an agent that switches the branch gets nothing committed there', async () => {
    const delivery = newDelivery({ prd: oneStory, name: 'pawl', env: { PAWL_SANDBOX: 'off' } })
    const agent = 'sh -c "git switch -q -c elsewhere; echo x > S1"'
    const { code } = await delivery.start('deliver', 'PRD.md', '--verify', 'test -s S1', '--ai-cmd', agent)
    expect([code, delivery.git('rev-list', '--count', 'elsewhere')]).toEqual([10, '1'])
  })
})
