import { describe, expect, test } from 'vitest'
import { until } from '../../../surfaces/cli/pawl.ts'
import { beats, change, file, newNovel, prose, type ScriptStep, says } from '../support/novel.ts'
import { listRuns, readEvents, startPawl, writeAnswers } from '../support/program.ts'
import { openRepl } from '../support/terminal.ts'

type Novel = ReturnType<typeof newNovel>

/** The same call, and nobody answers it. */
const down = ({ when }: ScriptStep, more: Partial<ScriptStep> = {}): ScriptStep => ({
  when,
  error: 'unavailable',
  ...more,
})

const plan = says.plan([{ name: file(2) }])
const write = says.write({ [file(2)]: beats(2, 'grey') })
const judge = says.judge('approved', 'Good.')
const describeIt = says.describe({ changes: [change({ hunks: ['h1'], units: ['u1'], title: 'Greyer' })] })
const steps = { plan, write, judge, describe: describeIt }

const generated = (number: number, more: Partial<ScriptStep> = {}): ScriptStep =>
  says.generate(`Write ${file(number)}`, `<answer>\n${prose(number)}</answer>`, more)

/** The files that the model was asked to write, in order. */
const askedFor = (novel: Novel): (string | undefined)[] =>
  novel.calls('You write one step of a work').map(({ prompt }) => /Write (chapter-\d+)/.exec(prompt)?.[1])

/** How often each step of an iteration was asked for. */
const countCalls = (novel: Novel): number[] =>
  ['You decide which files', 'You revise a written work', 'developmental editor', 'what a revision has changed'].map(
    (words) => novel.calls(words).length,
  )

/** The attempts at writing that have a number. */
const attemptsOf = (novel: Novel): (string | null | undefined)[] => [
  ...new Set(
    readEvents(novel).flatMap(({ type, task }) => (type === 'task-picked' && task?.startsWith('revise') ? [task] : [])),
  ),
]

const isUntouched = ({ git }: Novel): boolean =>
  git('log', '--format=%s') === 'Import' && git('status', '--short') === ''

async function openAt(novel: Novel) {
  const repl = openRepl(novel, ['write', novel.name], 'pawl')
  await repl.say('> ', `/model ${novel.model}`)
  await repl.say('> ', '/config output-tokens 800')
  return repl
}

async function giveFeedback(novel: Novel) {
  const repl = await openAt(novel)
  await repl.say('> ', 'Make chapter 2 grey')
  return repl
}

type Repl = Awaited<ReturnType<typeof openAt>>

async function accept(repl: Repl): Promise<void> {
  await repl.say('skip): ', 'skip')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.sees('Ready for next iteration.')
}

async function leave(repl: Repl): Promise<void> {
  await repl.say('> ', '/exit')
  await repl.ended
}

describe('a provider that fails while a person is there', () => {
  test('before, while and after writing: each call is asked for again, the answered ones are not, and it stays attempt 1', async () => {
    const novel = newNovel({ chapters: 4, steps: Object.values(steps).flatMap((step) => [down(step), step]) })
    const repl = await giveFeedback(novel)
    await repl.say('Try again? (retry/wait/abort): ', 'retry')
    await repl.say('Try again? (retry/wait/abort): ', 'retry')
    await repl.say('Try again? (retry/wait/skip/abort): ', 'retry')
    await repl.say('Try again? (retry/wait/skip/abort): ', 'retry')
    await accept(repl)
    await leave(repl)
    expect(countCalls(novel)).toEqual([2, 2, 2, 2])
    expect(attemptsOf(novel)).toEqual(['revise-1'])
    expect(repl.screen()).not.toContain('Attempt 2')
    expect(novel.read(`chapter-beats/${file(2)}`)).toBe(beats(2, 'grey'))
    expect(JSON.parse(novel.read('chapter-beats/iteration_history.json'))).toMatchObject({
      iterations: [{ judge_attempts: 1, judge_verdict: 'approved' }],
    })
  })

  test('waiting: it asks again when the provider said that it is back', async () => {
    const soon = { retry_in_ms: 300 }
    const novel = newNovel({ chapters: 4, steps: Object.values(steps).flatMap((step) => [down(step, soon), step]) })
    const repl = await giveFeedback(novel)
    for (const question of ['abort): ', 'abort): ', 'skip/abort): ', 'skip/abort): ']) await repl.say(question, 'wait')
    await accept(repl)
    await leave(repl)
    expect(countCalls(novel)).toEqual([2, 2, 2, 2])
    expect(repl.screen()).not.toContain('Attempt 2')
  })

  test('the 2nd of 4 files: the others are written once', async () => {
    const novel = newNovel({
      chapters: 4,
      steps: [generated(1), down(generated(2)), ...[2, 3, 4].map((at) => generated(at))],
    })
    const repl = await openAt(novel)
    await repl.say('> ', '/generate prose')
    await repl.say('Try again? (retry/wait/abort): ', 'retry')
    await repl.sees('Prose generated')
    await leave(repl)
    expect(askedFor(novel)).toEqual(['chapter-01', 'chapter-02', 'chapter-02', 'chapter-03', 'chapter-04'])
    for (const number of [1, 2, 3, 4]) expect(novel.read(`chapters/${file(number)}`)).toBe(prose(number))
    expect(novel.git('status', '--short')).toBe('')
  })

  test('skipping the judge and the description: the draft is shown and saved without them', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write, down(judge), down(describeIt)] })
    const repl = await giveFeedback(novel)
    await repl.say('skip/abort): ', 'skip')
    await repl.say('skip/abort): ', 'skip')
    await accept(repl)
    await leave(repl)
    expect(countCalls(novel)).toEqual([1, 1, 1, 1])
    expect(novel.git('log', '--format=%s')).toBe('[chapters] Make chapter 2 grey\nImport')
    expect(JSON.parse(novel.read('chapter-beats/iteration_history.json'))).toMatchObject({
      iterations: [{ judge_attempts: 1, judge_verdict: 'needs_revision' }],
    })
  })

  for (const [at, name] of Object.keys(steps).entries()) {
    test(`giving up at ${name}: nothing is saved, and the next feedback works`, async () => {
      const all = Object.values(steps)
      const novel = newNovel({
        chapters: 4,
        steps: [...all.slice(0, at), down(all[at]!), ...all.map((step) => ({ ...step }))],
      })
      const repl = await giveFeedback(novel)
      await repl.say('abort): ', 'abort')
      await repl.sees('Nothing was saved.')
      expect(isUntouched(novel)).toBe(true)
      await repl.say('> ', 'Make chapter 2 grey')
      await accept(repl)
      await leave(repl)
      expect(novel.read(`chapter-beats/${file(2)}`)).toBe(beats(2, 'grey'))
    })
  }

  test('leaving at the question: /resume asks it again, and so does another session', async () => {
    const lost = [down(generated(2)), down(generated(2))]
    const novel = newNovel({ chapters: 4, steps: [generated(1), ...lost, ...[2, 3, 4].map((at) => generated(at))] })
    const repl = await openAt(novel)
    await repl.say('> ', '/generate prose')
    await repl.sees('Try again?')
    repl.type('\u0004')
    await repl.sees('The iteration on prose stays open.')
    await repl.say('> ', '/resume')
    await repl.say('Try again? (retry/wait/abort): ', 'retry')
    await repl.sees('Try again?')
    repl.type('\u0004')
    await repl.sees('The iteration on prose stays open.')
    await leave(repl)
    expect(isUntouched(novel)).toBe(true)
    novel.setScript([2, 3, 4].map((at) => generated(at)))
    const again = openRepl(novel, ['write', novel.name], 'pawl')
    await again.sees('An iteration is open')
    await again.say('> ', '/resume')
    await again.say('Try again? (retry/wait/abort): ', 'retry')
    await again.sees('Prose generated')
    await leave(again)
    expect(askedFor(novel)).toEqual([
      'chapter-01',
      'chapter-02',
      'chapter-02',
      'chapter-02',
      'chapter-03',
      'chapter-04',
    ])
  })

  test('leaving at the question: an answer and pawl resume go on without a terminal', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write, down(judge)] })
    const repl = await giveFeedback(novel)
    await repl.sees('Try again?')
    repl.type('\u0004')
    await repl.sees('stays open')
    await leave(repl)
    const { id } = listRuns(novel)[0]!
    const asks = await startPawl(novel, ['resume', id])
    expect([asks.code, asks.err]).toEqual([10, expect.stringMatching(/answer my-novel <retry\|wait\|skip\|abort>/)])
    novel.setScript([judge, describeIt])
    expect((await startPawl(novel, ['answer', id, 'retry'])).code).toBe(0)
    const next = await startPawl(novel, ['resume', id])
    expect([next.code, next.err]).toEqual([
      10,
      expect.stringMatching(/accept these changes.*answer my-novel <yes\|no\|some>/),
    ])
    expect((await startPawl(novel, ['answer', id, 'yes'])).code).toBe(0)
    expect((await startPawl(novel, ['resume', id])).code).toBe(0)
    expect(countCalls(novel)).toEqual([1, 1, 2, 1])
    expect(novel.git('log', '--format=%s')).toBe('[chapters] Make chapter 2 grey\nImport')
  })

  test('an answer from another terminal is not asked for again', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, down(write)] })
    const repl = await giveFeedback(novel)
    await repl.sees('Try again?')
    repl.type('\u0004')
    await repl.sees('stays open')
    expect((await startPawl(novel, ['answer', listRuns(novel)[0]!.id, 'abort'])).code).toBe(0)
    await repl.say('> ', '/resume')
    await repl.sees('Iteration aborted. Nothing was saved.')
    await leave(repl)
    expect(repl.after()).not.toContain('Try again?')
  })
})

const run = (novel: Novel, provider: string | undefined) => {
  const answers = { cull: 'keep-all', judge: 'yes', accept: 'yes', ...(provider !== undefined && { provider }) }
  const words = ['write', novel.name, '--target', 'chapters', '--feedback', 'Make chapter 2 grey']
  return startPawl(novel, [...words, '--answers', writeAnswers(novel, answers), '--model', novel.model])
}

describe('a provider that fails while nobody is there', () => {
  for (const provider of ['wait', 'retry', 'skip'])
    test(`provider: ${provider} waits for the writer, and asks nothing twice that was answered`, async () => {
      const soon = { retry_in_ms: 300 }
      const novel = newNovel({
        chapters: 4,
        steps: [down(plan, soon), plan, down(write, soon), write, judge, describeIt],
      })
      const { code, out } = await run(novel, provider)
      expect([code, countCalls(novel), attemptsOf(novel)]).toEqual([0, [2, 2, 1, 1], ['revise-1']])
      expect(out.split('Waiting for the model').length - 1).toBe(2)
    })

  test('provider: wait asks the judge and the describer again', async () => {
    const soon = { retry_in_ms: 100 }
    const novel = newNovel({
      chapters: 4,
      steps: [plan, write, down(judge, soon), judge, down(describeIt, soon), describeIt],
    })
    expect((await run(novel, 'wait')).code).toBe(0)
    expect(countCalls(novel)).toEqual([1, 1, 2, 2])
  })

  test('provider: skip goes on without judge and description', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, write, down(judge), down(describeIt)] })
    expect((await run(novel, 'skip')).code).toBe(0)
    expect(novel.git('log', '--format=%s')).toBe('[chapters] Make chapter 2 grey\nImport')
  })

  test('provider: abort ends it, and nothing is saved', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, down(write)] })
    const { code, out } = await run(novel, 'abort')
    expect([code, isUntouched(novel)]).toEqual([130, true])
    expect(out).toContain('Nothing was saved.')
  })

  test('without an answer for it, it says how to answer and goes on then', async () => {
    const novel = newNovel({ chapters: 4, steps: [plan, down(write)] })
    const { code, err } = await run(novel, undefined)
    expect([code, isUntouched(novel)]).toEqual([10, true])
    expect(err).toMatch(/answer my-novel <retry\|wait\|abort>/)
    novel.setScript([write, judge, describeIt])
    const { id } = listRuns(novel)[0]!
    expect((await startPawl(novel, ['answer', id, 'retry'])).code).toBe(0)
    expect((await startPawl(novel, ['resume', id])).code).toBe(0)
    expect(countCalls(novel)).toEqual([1, 2, 1, 1])
  })

  test('a describer that fails for good: the computed difference stands, and the history has the iteration', async () => {
    const broken: ScriptStep = { when: describeIt.when, error: 'failed' }
    const novel = newNovel({ chapters: 4, steps: [plan, write, judge, broken] })
    expect((await run(novel, 'abort')).code).toBe(0)
    expect(JSON.parse(novel.read('chapter-beats/iteration_history.json'))).toMatchObject({
      iterations: [{ feedback: 'Make chapter 2 grey', files_changed: 1 }],
    })
  })
})

test('killed with -9 while the 3rd of 4 files is written: the first two are not paid for again', async () => {
  const novel = newNovel({ chapters: 4, steps: [generated(1), generated(2), generated(3, { delay_ms: 60_000 })] })
  const answers = writeAnswers(novel, { cull: 'keep-all', judge: 'yes', accept: 'yes', provider: 'abort' })
  const words = ['write', novel.name, '--target', 'prose', '--generate', '--answers', answers, '--output-tokens', '800']
  const killed = startPawl(novel, [...words, '--model', novel.model])
  await until(() => askedFor(novel).length === 3, 'the call for the third file')
  killed.child.kill('SIGKILL')
  await killed
  expect(isUntouched(novel)).toBe(true)
  novel.setScript([3, 4].map((at) => generated(at)))
  expect((await startPawl(novel, ['resume', listRuns(novel)[0]!.id])).code).toBe(0)
  expect(askedFor(novel)).toEqual(['chapter-01', 'chapter-02', 'chapter-03', 'chapter-03', 'chapter-04'])
  for (const number of [1, 2, 3, 4]) expect(novel.read(`chapters/${file(number)}`)).toBe(prose(number))
  expect(attemptsOf(novel)).toEqual(['revise-1'])
})
