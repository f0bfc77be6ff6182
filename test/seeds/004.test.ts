import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DeliveryResult } from '../../src/modes/delivery/contract/result.ts'
import { deliver, honest, newDelivery, oneStory } from '../modes/delivery/cli/santiago.ts'
import { until } from '../surfaces/cli/pawl.ts'

/** Seed 004, line by line, through the built program under the seed's own name. */

const liar = { when: { task: 'S1', attempt: 1 }, output: 'all tests pass\n' }
const hangs = (task: string) => ({ when: { task }, output: 'at work\n', silent_ms: 120_000 })
const limits = (changed: object) => ({
  limits: {
    story_max_attempts: 4,
    run_max_attempts: 20,
    story_timeout_minutes: 20,
    run_timeout_minutes: 180,
    ...changed,
  },
})

describe('acceptance criteria', () => {
  test('AC-01: plan writes deterministic plan.json and exits 0', async () => {
    const [one, other] = [
      newDelivery(),
      newDelivery({ env: { TZ: 'Asia/Kolkata', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' } }),
    ]
    other.give({ run_id: 'another_run', working_branch: 'work', limits: { story_max_attempts: 2 } })
    expect([(await one.plan()).code, (await other.plan()).code]).toEqual([0, 0])
    expect(other.read('plan.json')).toBe(one.read('plan.json'))
    const { stories } = JSON.parse(one.read('plan.json')) as { stories: Record<string, unknown>[] }
    expect(stories.map(({ id, depends_on, verification }) => [id, depends_on, verification])).toEqual([
      ['S1', [], ['test -s S1']],
      ['S2', ['S1'], ['test -s S2']],
      ['S3', [], ['test -s S3']],
    ])
    expect(Object.keys(stories[0]!).sort()).toEqual(
      [
        'acceptance_criteria',
        'depends_on',
        'file_focus',
        'id',
        'sha256',
        'source',
        'text',
        'title',
        'verification',
      ].sort(),
    )
  })

  test('AC-02: execute writes progress.ndjson events per attempt, each with the fields of the seed', async () => {
    const { code, journal, tries } = await deliver({ agent: [liar, ...honest] })
    expect(code).toBe(0)
    expect(tries()).toEqual(['S1 1', 'S1 2', 'S2 1', 'S3 1'])
    for (const line of journal()) {
      expect(Object.keys(line)).toEqual(
        expect.arrayContaining(['timestamp', 'run_id', 'story_id', 'phase', 'attempt', 'status', 'context']),
      )
      expect([line.run_id, Number.isNaN(Date.parse(line.timestamp))]).toEqual(['run_1', false])
    }
    const ofFirst = journal().filter(({ story_id, attempt }) => story_id === 'S1' && attempt === 1)
    expect(ofFirst.map(({ phase, status }) => `${phase}/${status}`)).toEqual(
      expect.arrayContaining(['execute/started', 'execute/ok', 'verify/failed', 'decide/retry']),
    )
    expect(journal().map(({ seq }) => seq)).toEqual(journal().map((_, index) => index + 1))
  })

  test('AC-03: verification failures within budget are retried and recorded as critique', async () => {
    const { code, read, result } = await deliver({
      prd: oneStory,
      agent: [liar, { when: { task: 'S1', attempt: 2 }, echo_prompt: true }, ...honest],
    })
    expect(code).toBe(0)
    expect(result().stories[0]).toMatchObject({
      id: 'S1',
      status: 'done',
      attempts: 3,
      verification: 'passed',
      evidence: 'proven',
    })
    for (const part of ['test -s S1', 'exit 1', 'Nothing was changed', 'attempt 1: '])
      expect(read('critique.md')).toContain(part)
    expect(read('attempts/S1-attempt-2-agent.log')).toContain('Why the attempt before this one was rejected')
    const page = read('attempts/S1-attempt-1.md')
    for (const part of ['S1, attempt 1: failed', 'test -s S1', 'Nothing was changed.', 'Acceptance criteria', 'Cost:'])
      expect(page).toContain(part)
  })

  test('AC-04: attempt budget exhaustion exits non-success with reason attempt_budget_exhausted', async () => {
    const { code, result, tries } = await deliver({
      prd: oneStory,
      agent: [{ output: 'all tests pass\n' }],
      input: limits({ story_max_attempts: 2 }),
    })
    expect([code, result().status, result().reason, result().next_action]).toEqual([
      30,
      'failed',
      'attempt_budget_exhausted',
      'review',
    ])
    expect(tries()).toEqual(['S1 1', 'S1 2'])
    const run = await deliver({ agent: [{ output: 'done\n' }], input: limits({ run_max_attempts: 3 }) })
    expect([run.code, run.result().reason, run.tries()]).toEqual([
      30,
      'attempt_budget_exhausted',
      ['S1 1', 'S1 2', 'S1 3'],
    ])
    expect(run.result().stories.map(({ status }) => status)).toEqual(['failed', 'skipped', 'pending'])
  })

  test('AC-05: resumed execution does not restart completed stories', async () => {
    const delivery = newDelivery({ agent: [honest[0]!, hangs('S2'), honest[2]!] })
    await delivery.plan()
    const first = delivery.execute()
    await until(() => fs.existsSync(join(delivery.out, 'attempts/S2-attempt-1-agent.log')), 'S2 is at work')
    first.child.kill('SIGKILL')
    await first
    const kept = delivery.git('rev-parse', 'refs/pawl/run_1/S1')
    delivery.teach(honest)
    expect((await delivery.execute()).code).toBe(0)
    expect(delivery.tries()).toEqual(['S1 1', 'S2 1', 'S2 2', 'S3 1'])
    expect(delivery.git('rev-parse', 'refs/pawl/run_1/S1')).toBe(kept)
    expect(delivery.result()).toMatchObject({ status: 'success', summary: { completed: 3, failed: 0, skipped: 0 } })
  })

  test('AC-06: result.json always exists on terminal exit, including failure paths', async () => {
    for (const broken of [
      { verification: { story_commands: [], run_commands: [] } },
      { working_branch: 'elsewhere' },
      { agent: { mode: 'ralph_fresh', model_hint: 'nobody' } },
      { prd_path: 'missing.md' },
      { contract_version: 2 },
    ]) {
      const delivery = newDelivery()
      await delivery.plan()
      delivery.give(broken)
      const { code } = await delivery.execute()
      const result = DeliveryResult.parse(delivery.result())
      expect([result.exit, result.status === 'success']).toEqual([code, false])
    }
    const stopped = newDelivery({ agent: [hangs('S1')] })
    await stopped.plan()
    const running = stopped.execute()
    await until(() => fs.existsSync(join(stopped.out, 'attempts/S1-attempt-1-agent.log')), 'S1 is at work')
    running.child.kill('SIGTERM')
    expect((await running).code).toBe(143)
    expect(stopped.result()).toMatchObject({ status: 'interrupted', reason: null, next_action: 'retry' })
  })

  test('AC-07: invalid contract payloads exit with 30, one clear line, nothing else written', async () => {
    for (const [wrong, pointer] of [
      [{ contract_version: 7 }, '/contract_version'],
      [{ run_id: '../../x' }, '/run_id'],
      [{ limits: { story_max_attempts: 0 } }, '/limits/story_max_attempts'],
      [{ verification: { story_commands: 'npm test', run_commands: [] } }, '/verification/story_commands'],
      [{ limitz: {} }, '/limitz'],
    ] as const) {
      const delivery = newDelivery({ input: wrong })
      const { code, err } = await delivery.plan()
      expect(code).toBe(30)
      expect(err).toContain(pointer)
      expect(delivery.result()).toMatchObject({
        status: 'failed',
        reason: 'plan_generation_failed',
        error: { pointer },
        next_action: 'fix_spec',
      })
      expect(fs.readdirSync(delivery.out)).toEqual(['result.json'])
    }
  })

  test('AC-08: the agent backend is swapped by mode', async () => {
    const acp = await deliver({ prd: oneStory, input: { agent: { mode: 'acp', model_hint: 'no-such-program --acp' } } })
    expect([acp.code, acp.result().reason]).toEqual([10, 'blocked_dependency'])
    const other = newDelivery({ prd: oneStory })
    await other.plan()
    expect((await other.execute('--ai-cmd', 'tee S1')).code).toBe(0)
    expect(
      other.journal().find(({ phase, status }) => phase === 'execute' && status === 'started' && true),
    ).toBeDefined()
    expect(other.journal().some(({ context }) => context.via === 'command')).toBe(true)
  })
})

describe('ordering: dependency first, requirement id second, lexicographic third', () => {
  test('a plan is in that order whatever the order of the lines', async () => {
    const prd = `# P

## Acceptance Criteria

- **AC-10:** ten
- **AC-2:** two, depends on AC-10
- **AC-03:** three
- **AC-1:** one
`
    const delivery = newDelivery({ prd })
    expect((await delivery.plan()).code).toBe(0)
    const { stories } = JSON.parse(delivery.read('plan.json')) as { stories: { source: { id: string }; id: string }[] }
    expect(stories.map(({ id, source }) => [id, source.id])).toEqual([
      ['S1', 'AC-1'],
      ['S2', 'AC-03'],
      ['S3', 'AC-10'],
      ['S4', 'AC-2'],
    ])
  })
})

describe('the error taxonomy: each reason, its exit code and what is next', () => {
  const agentThat = (entry: object, changed: object = {}) => ({ prd: oneStory, agent: [entry], input: changed })

  test('plan_generation_failed: 30, fix_spec', async () => {
    const nothing = newDelivery({ prd: '# A title\n\nSome prose.\n' })
    const { code, err } = await nothing.plan()
    expect([code, nothing.result().reason, nothing.result().next_action]).toEqual([
      30,
      'plan_generation_failed',
      'fix_spec',
    ])
    expect(err).toMatch(/looked for/i)
    const cycle = newDelivery({ prd: '# P\n\n- **AC-01:** a. Depends on AC-02\n- **AC-02:** b. Depends on AC-01\n' })
    expect((await cycle.plan()).err).toMatch(/AC-01 \(line 3\) -> AC-02 \(line 4\) -> AC-01/)
    const unknown = newDelivery({ prd: '# P\n\n- **AC-01:** a. Depends on AC-11\n- **AC-12:** b\n' })
    expect((await unknown.plan()).err).toMatch(/AC-11.*AC-1[12]/)
    expect((await unknown.plan()).code).toBe(30)
  })

  test('agent_exit_nonzero: 20, retry, when every attempt ended so', async () => {
    const { code, result } = await deliver(agentThat({ exit: 1, stderr: 'no\n' }, limits({ story_max_attempts: 2 })))
    expect([code, result().reason, result().next_action]).toEqual([20, 'agent_exit_nonzero', 'retry'])
  })

  test('verification decides also after a non-zero exit of the agent', async () => {
    const { code, result } = await deliver(agentThat({ exit: 1, write: { S1: 'x' } }))
    expect([code, result().stories[0]!.status]).toEqual([0, 'done'])
  })

  test('agent_timeout: 20, retry', async () => {
    const { code, result } = await deliver(agentThat(hangs('S1'), limits({ story_timeout_minutes: 0.03 })))
    expect([code, result().reason, result().next_action]).toEqual([20, 'agent_timeout', 'retry'])
  })

  test('story_verification_failed: 30, fix_spec, when a command cannot pass by trying again', async () => {
    const verification = { story_commands: ['no-such-program-here --now'], run_commands: [] }
    const missing = await deliver(agentThat({ output: 'x' }, { verification }))
    expect([missing.code, missing.result().reason, missing.result().next_action]).toEqual([
      30,
      'story_verification_failed',
      'fix_spec',
    ])
    const refused = { story_commands: ['test -s S1'], run_commands: [], allow: ['npm'] }
    const delivery = newDelivery({ prd: oneStory, input: { verification: refused } })
    expect([(await delivery.plan()).code, delivery.result().reason]).toEqual([30, 'story_verification_failed'])
    delivery.give({})
    await delivery.plan()
    delivery.give({ verification: refused })
    expect([(await delivery.execute()).code, delivery.result().reason]).toEqual([30, 'story_verification_failed'])
  })

  test('run_verification_failed: 30, review', async () => {
    const verification = { story_commands: ['test -s {story_id}'], run_commands: ['true', 'test -s whole'] }
    const { code, result } = await deliver({ input: { verification } })
    expect([code, result().reason, result().next_action]).toEqual([30, 'run_verification_failed', 'review'])
    expect(result()).toMatchObject({ run_verification: 'failed', summary: { completed: 3 } })
    expect(result().detail).toContain('test -s whole')
  })

  test('run_timeout: 20, retry', async () => {
    const { code, result } = await deliver(agentThat(hangs('S1'), limits({ run_timeout_minutes: 0.03 })))
    expect([code, result().reason, result().next_action]).toEqual([20, 'run_timeout', 'retry'])
  })

  test('blocked_dependency: 10, unblock: wrong branch, agent missing, the agent says so, another delivery', async () => {
    const branch = newDelivery()
    await branch.plan()
    branch.git('switch', '--quiet', 'main')
    expect([(await branch.execute()).code, branch.result().reason, branch.result().next_action]).toEqual([
      10,
      'blocked_dependency',
      'unblock',
    ])
    const says = await deliver({
      agent: [
        { when: { task: 'S1' }, output: 'I need the key of the staging system.\n<promise>BLOCKED</promise>\n' },
        ...honest,
      ],
    })
    expect([says.code, says.result().status, says.result().reason]).toEqual([10, 'blocked', 'blocked_dependency'])
    expect(says.result().stories.map(({ status }) => status)).toEqual(['blocked', 'skipped', 'done'])
    const first = newDelivery({ agent: [hangs('S1')] })
    await first.plan()
    const running = first.execute()
    await until(() => fs.existsSync(join(first.out, 'attempts/S1-attempt-1-agent.log')), 'S1 is at work')
    const second = await first.execute()
    expect([second.code, second.err]).toEqual([10, expect.stringContaining('is already running')])
    const elsewhere = join(first.root, 'elsewhere')
    const third = await first.start(
      'execute',
      '--input',
      first.inputPath,
      '--plan',
      join(first.out, 'plan.json'),
      '--out-dir',
      elsewhere,
    )
    expect([third.code, JSON.parse(fs.readFileSync(join(elsewhere, 'result.json'), 'utf8'))]).toEqual([
      10,
      expect.objectContaining({ status: 'blocked' }),
    ])
    running.child.kill('SIGTERM')
    await running
  })

  test('a failed story takes its dependants along, and no other', async () => {
    const { code, result } = await deliver({
      agent: [{ when: { task: 'S1' }, output: 'x' }, ...honest],
      input: limits({ story_max_attempts: 1 }),
    })
    expect(code).toBe(30)
    expect(result().stories.map(({ id, status, because }) => [id, status, because])).toEqual([
      ['S1', 'failed', expect.stringContaining('test -s S1')],
      ['S2', 'skipped', 'S1 is failed'],
      ['S3', 'done', null],
    ])
    expect(result().summary).toEqual({ completed: 1, failed: 1, skipped: 1, pending: 0, blocked: 0 })
  })
})

describe('calling again', () => {
  test('after success: the same result, 0, and nothing is done', async () => {
    const done = await deliver()
    const before = done.read('result.json')
    expect((await done.execute()).code).toBe(0)
    expect([done.read('result.json'), done.tries().length]).toEqual([before, 3])
  })

  test('after 30: the same result; with another limit it is reopened and done stories stay done', async () => {
    const spent = await deliver({
      agent: [honest[0]!, { when: { task: 'S2' }, output: 'x' }, honest[2]!],
      input: limits({ story_max_attempts: 1 }),
    })
    expect([spent.code, spent.tries()]).toEqual([30, ['S1 1', 'S2 1', 'S3 1']])
    expect([(await spent.execute()).code, spent.tries().length]).toEqual([30, 3])
    spent.teach(honest)
    spent.give(limits({ story_max_attempts: 2 }))
    expect((await spent.execute()).code).toBe(0)
    expect(spent.tries()).toEqual(['S1 1', 'S2 1', 'S3 1', 'S2 2'])
  })

  test('after 20: it is reopened, numbers go on', async () => {
    const failing = await deliver({ prd: oneStory, agent: [{ exit: 1 }], input: limits({ story_max_attempts: 2 }) })
    failing.teach(honest)
    expect([failing.code, (await failing.execute()).code]).toEqual([20, 0])
    expect(failing.tries()).toEqual(['S1 1', 'S1 2', 'S1 3'])
    expect(failing.result().stories[0]).toMatchObject({ attempts: 3, status: 'done' })
  })

  test('with another PRD after 30: stories that are the same work stay done', async () => {
    const spent = await deliver({
      agent: [honest[0]!, { when: { task: 'S2' }, output: 'x' }, honest[2]!],
      input: limits({ story_max_attempts: 1 }),
    })
    expect(spent.code).toBe(30)
    spent.write({
      'PRD.md': fs
        .readFileSync(join(spent.repo, 'PRD.md'), 'utf8')
        .replace('The file `S2` is there', 'The second file is there'),
    })
    const stale = await spent.execute()
    expect([stale.code, stale.err]).toEqual([30, expect.stringContaining('another version of PRD.md')])
    spent.teach(honest)
    await spent.plan()
    expect((await spent.execute()).code).toBe(0)
    expect(spent.tries()).toEqual(['S1 1', 'S2 1', 'S3 1', 'S2 2'])
  })

  test('another input for an unfinished run is refused, and says which', async () => {
    const delivery = newDelivery({ agent: [hangs('S1')] })
    await delivery.plan()
    const running = delivery.execute()
    await until(() => fs.existsSync(join(delivery.out, 'attempts/S1-attempt-1-agent.log')), 'S1 is at work')
    running.child.kill('SIGKILL')
    await running
    delivery.give({ base_branch: 'work' })
    const { code, err } = await delivery.execute()
    expect([code, err]).toEqual([30, expect.stringContaining('base_branch')])
    delivery.give({})
    delivery.teach(honest)
    expect((await delivery.execute()).code).toBe(0)
  })
})

describe('security and safety', () => {
  test('execute never commits, branches or pushes; what is verified lies under refs/pawl', async () => {
    const { code, git } = await deliver()
    expect(code).toBe(0)
    expect(git('log', '--format=%s', 'work')).toBe('before')
    expect(git('for-each-ref', '--format=%(refname)')).toBe(
      ['refs/heads/main', 'refs/heads/work', 'refs/pawl/run_1/S1', 'refs/pawl/run_1/S2', 'refs/pawl/run_1/S3'].join(
        '\n',
      ),
    )
    expect(git('show', 'refs/pawl/run_1/S2:S2')).toBe('done')
  })

  test('no secret is written raw, whoever prints it', async () => {
    const secret = 'hunter2-hunter2-hunter2'
    const { code, out } = await deliver({
      prd: oneStory,
      env: { STAGING_TOKEN: secret },
      agent: [{ when: { task: 'S1' }, output: `the token is ${secret}\n`, write: { S1: 'x' } }],
      input: {
        env: ['STAGING_TOKEN'],
        verification: { story_commands: ['echo $STAGING_TOKEN; test -s {story_id}'], run_commands: [] },
      },
    })
    expect(code).toBe(0)
    const files = fs.readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const file of files) expect(fs.readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(secret)
  })

  test('names from PRDs and agents never become paths', async () => {
    const prd =
      '# P\n\n## Tasks\n\n### T-1: Climb ../../../../tmp/x\n\n- Files: ../../etc/passwd, /etc/shadow, src/a.ts\n'
    const delivery = newDelivery({ prd })
    await delivery.plan()
    const plan = JSON.parse(delivery.read('plan.json')) as { stories: { id: string; file_focus: string[] }[] }
    expect(plan.stories.map(({ id }) => id)).toEqual(['S1'])
    expect(plan.stories[0]!.file_focus).toEqual(['src/a.ts'])
  })
})
