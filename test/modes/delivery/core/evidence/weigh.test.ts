import { describe, expect, test } from 'vitest'
import {
  type Control,
  type CounterTree,
  type Ran,
  type Runs,
  weighRuns,
} from '../../../../../src/modes/delivery/core/evidence/weigh.ts'

const [red, green]: [Ran, Ran] = [{ red: true }, { red: false }]
type Given = Partial<Omit<Runs, 'run' | 'control' | 'areRenamed'>> & {
  readonly renamed?: boolean
  readonly ran?: Partial<Record<CounterTree, Ran>>
  readonly control?: Control
}

/** What the runs show, and which were made. */
async function weigh({ ran = {}, control = 'noticed', renamed = false, ...given }: Given): Promise<[string, string[]]> {
  const made: string[] = []
  const weighed = await weighRuns({
    before: red,
    now: green,
    touched: false,
    named: false,
    onlyChecks: false,
    oldTests: false,
    firstTests: false,
    newDependencies: false,
    isStillRed: false,
    ...given,
    areRenamed: async () => renamed,
    run: async (name) => {
      made.push(name)
      return ran[name] ?? green
    },
    control: async (on) => {
      made.push(`control ${on}`)
      return control
    },
  })
  return ['refused' in weighed ? 'refused' : weighed.evidence, made]
}

describe('no check was touched', () => {
  test.each<[string, Given, string, string[]]>([
    ['red before: proven, if altered tests fail', {}, 'proven', ['control tree']],
    ['a test that must fail passes: refused', { control: 'disarmed' }, 'refused', ['control tree']],
    ['altered tests pass: unproven', { control: 'unnoticed' }, 'unproven', ['control tree']],
    ['there are no tests: proven', { control: 'impossible' }, 'proven', ['control tree']],
    ['nothing in the tests can be altered: unproven', { control: 'untried' }, 'unproven', ['control tree']],
    ['others fail with those that were altered: unproven', { control: 'mixed' }, 'unproven', ['control tree']],
    ['a comment makes them fail: unproven', { control: 'unstable' }, 'unproven', ['control tree']],
    ['green before: held', { before: green }, 'held', []],
    ['new dependencies alone make it green: refused', { newDependencies: true }, 'refused', ['new-dependencies']],
  ])('%s', async (_name, given, evidence, made) => {
    expect(await weigh(given)).toEqual([evidence, made])
  })
})

describe('checks were touched', () => {
  const touched = { touched: true } as const
  const still: Given = { ...touched, ran: { 'old-checks': red } }
  test.each<[string, Given, string]>([
    ['green with the old ones: proven', touched, 'proven'],
    [
      'green before, and the new tests fail on the old product',
      { ...touched, before: green, ran: { 'old-product': red } },
      'proven_by_new_tests',
    ],
    ['green before, and the new tests show nothing', { ...touched, before: green }, 'held'],
    [
      'green before, and nobody notices altered new tests',
      { ...touched, before: green, ran: { 'old-product': red }, control: 'unnoticed' },
      'held',
    ],
    ['green before, and the old tests fail now: rewritten', { ...still, before: green }, 'rewritten'],
    ['the old tests fail for the sake of a name', { ...still, before: green, renamed: true }, 'held'],
    [
      'the story named the tests',
      { ...still, before: green, named: true, ran: { 'old-checks': red, 'old-product': red } },
      'proven_by_new_tests',
    ],
    ['red before and with the old tests: refused', still, 'refused'],
    ['named, but the tests alone pass: refused', { ...still, named: true }, 'refused'],
    ['named, and nothing else was asked for', { ...still, named: true, onlyChecks: true }, 'rewritten'],
    [
      'named and new, and red on the old product',
      { ...still, named: true, ran: { 'old-checks': red, 'old-product': red } },
      'proven_by_new_tests',
    ],
    [
      'named, and there before: the question was changed',
      { ...still, named: true, oldTests: true, ran: { 'old-checks': red, 'old-product': red } },
      'rewritten',
    ],
    [
      'only its settings were missing',
      { ...still, ran: { 'old-checks': red, 'old-product-and-tests': red } },
      'rewritten',
    ],
    [
      'the first tests of a repository, and they fail on the old product',
      { ...still, firstTests: true, ran: { 'old-checks': red, 'old-product': red } },
      'proven_by_new_tests',
    ],
    ['the first tests of a repository, and they show nothing', { ...still, firstTests: true }, 'unproven'],
    ['the new settings alone make it green', { ...still, ran: { 'old-checks': red } }, 'refused'],
    ['flaky: held', { ...touched, ran: { 'old-checks': { red: true, flaky: true } } }, 'held'],
  ])('%s', async (_name, given, evidence) => {
    expect((await weigh(given))[0]).toBe(evidence)
  })

  test('a test that failed before must still be there and pass', async () => {
    const ids = (passed: string[], failed: string[]) => ({ passed: new Set(passed), failed: new Set(failed) })
    const before = { red: true, ids: ids(['other'], ['own', 'second']) }
    const now = { red: false, ids: ids(['other', 'own'], []) }
    expect((await weigh({ before, now }))[0]).toBe('unproven')
  })

  test('all that was red is green with the old tests too, and only others fail: rewritten', async () => {
    const ids = (passed: string[], failed: string[]) => ({ passed: new Set(passed), failed: new Set(failed) })
    const before = { red: true, ids: ids(['other'], ['own']) }
    const now = { red: false, ids: ids(['other', 'own'], []) }
    const contradicted = { red: true, ids: ids(['own'], ['other']) }
    expect((await weigh({ ...still, before, now, ran: { 'old-checks': contradicted } }))[0]).toBe('rewritten')
    const failing = { red: true, ids: ids(['other'], ['own']) }
    expect((await weigh({ ...still, before, now, ran: { 'old-checks': failing, 'old-tests': red } }))[0]).toBe(
      'refused',
    )
  })
})
