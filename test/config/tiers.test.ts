import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Origin } from '../../src/config/settings.ts'
import { procedureSettings } from '../../src/modes/procedure/contract/settings.ts'
import { type Machine, machine } from './fixture.ts'

test('without any file the defaults apply', async () => {
  const settings = await (await machine()).load()
  expect(settings.value('default_iterations')).toBe(0)
  expect(settings.value('failure_threshold')).toBe(3)
  expect(settings.own(procedureSettings).token_budget).toBe(100_000)
  expect(settings.value('sandbox')).toBe('auto')
  expect(settings.value('gates')).toEqual([])
  expect(settings.value('max_time')).toBeUndefined()
  expect(settings.effective('failure_threshold')).toEqual({ value: 3, origin: builtIn, shadowed: [] })
  expect(settings.effective('ai_cmd')).toEqual({ value: undefined, origin: builtIn, shadowed: [] })
  expect(settings.warnings).toEqual([])
})

test('durability is strict, and best-effort for a procedure under rooda; until is never under rooda alone', async () => {
  const here = await machine()
  expect((await here.load()).value('durability')).toBe('strict')
  expect((await here.load({ procedure: 'build' })).value('durability')).toBe('strict')
  expect((await here.load({ name: 'rooda', procedure: 'build' })).value('durability')).toBe('best-effort')
  expect((await here.load({ name: 'rooda' })).own(procedureSettings).until).toBe('never')
  expect((await here.load({ name: 'pawl' })).own(procedureSettings).until).toBe('promise+gates')
})

test('the same key at all tiers: the flag wins and the rest are shadowed, strongest first', async () => {
  const here = await machine({ user: everyTier.user, workspace: everyTier.workspace })
  const settings = await here.load({ procedure: 'build', env: everyTier.env, flags: { maxIterations: '70' } })
  expect(settings.effective('default_iterations')).toEqual({
    value: 70,
    origin: { tier: 'flag', where: '--max-iterations' },
    shadowed: [
      { value: 60, origin: { tier: 'environment', where: 'PAWL_MAX_ITERATIONS' } },
      { value: 50, origin: { tier: 'procedure', where: '.pawl/config.yml:4' } },
      { value: 40, origin: { tier: 'procedure', where: `${here.userFile}:4` } },
      { value: 30, origin: { tier: 'workspace', where: '.pawl/config.yml:1' } },
      { value: 20, origin: { tier: 'user', where: `${here.userFile}:1` } },
      { value: 0, origin: builtIn },
    ],
  })
})

test('any selection of tiers is won by the strongest of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray([20, 30, 40, 50, 60, 70]), async (values) => {
      const here = await machineWith(new Set(values))
      expect((await here()).value('default_iterations')).toBe(Math.max(0, ...values))
    }),
    { numRuns: 40 },
  )
})

test("another procedure's keys do not count", async () => {
  const here = await machine({ workspace: 'procedures:\n  build:\n    failure_threshold: 9\n  constructor: {}\n' })
  expect((await here.load({ procedure: 'plan' })).value('failure_threshold')).toBe(3)
  expect((await here.load({ procedure: 'constructor' })).value('failure_threshold')).toBe(3)
  const settings = await here.load({ procedure: 'build' })
  expect(settings.value('failure_threshold')).toBe(9)
  expect(settings.under(null).value('failure_threshold')).toBe(3)
  expect(settings.procedures).toEqual(['build', 'constructor'])
})

test('XDG_CONFIG_HOME names the folder of the user file, unless it is empty or relative', async () => {
  const here = await machine({ user: 'failure_threshold: 4\n' })
  await here.write('elsewhere/pawl/config.yml', 'failure_threshold: 5\n')
  const elsewhere = join(here.home, '../elsewhere')
  expect((await here.load({ env: { XDG_CONFIG_HOME: elsewhere } })).value('failure_threshold')).toBe(5)
  expect((await here.load({ env: { XDG_CONFIG_HOME: '' } })).value('failure_threshold')).toBe(4)
  expect((await here.load({ env: { XDG_CONFIG_HOME: 'elsewhere' } })).value('failure_threshold')).toBe(4)
})

test('rooda reads .rooda; pawl and santiago read it only where there is no .pawl', async () => {
  const here = await machine()
  await here.write('workspace/.rooda/config.yml', 'failure_threshold: 6\n')
  const threshold = async (name: 'pawl' | 'rooda' | 'santiago') =>
    (await here.load({ name })).effective('failure_threshold')
  expect((await threshold('rooda')).origin.where).toBe('.rooda/config.yml:1')
  expect((await threshold('pawl')).value).toBe(6)
  expect((await threshold('santiago')).value).toBe(6)
  await mkdir(join(here.workspace, '.pawl'))
  expect((await threshold('santiago')).value).toBe(3)
  expect((await threshold('pawl')).value).toBe(3)
  expect((await threshold('rooda')).value).toBe(6)
})

test('secrets of all tiers are merged, so that no repository can unmask those of a user', async () => {
  const here = await machine({ user: 'secrets: [MINE, BOTH]\n', workspace: 'secrets: [BOTH, THEIRS]\n' })
  expect((await here.load()).value('secrets').toSorted()).toEqual(['BOTH', 'MINE', 'THEIRS'])
})

test('prompts are lists whether written as one text or as several', async () => {
  const here = await machine({
    workspace: 'procedures:\n  build:\n    observe: look.md\n    act: [do.md, and so on]\n',
  })
  const settings = await here.load({ procedure: 'build' })
  const { observe, act, orient } = settings.own(procedureSettings)
  expect(observe).toEqual(['look.md'])
  expect(act).toEqual(['do.md', 'and so on'])
  expect(orient).toBeUndefined()
})

const builtIn: Origin = { tier: 'built-in', where: 'built-in' }

const everyTier = {
  user: 'default_iterations: 20\nprocedures:\n  build:\n    default_iterations: 40\n',
  workspace: 'default_iterations: 30\nprocedures:\n  build:\n    default_iterations: 50\n',
  env: { PAWL_MAX_ITERATIONS: '60' },
}

async function machineWith(values: ReadonlySet<number>): Promise<() => ReturnType<Machine['load']>> {
  const file = (own: number, procedure: number) =>
    `# config\n${values.has(own) ? `default_iterations: ${own}\n` : ''}` +
    (values.has(procedure) ? `procedures: { build: { default_iterations: ${procedure} } }\n` : '')
  const here = await machine({ user: file(20, 40), workspace: file(30, 50) })
  return () =>
    here.load({
      procedure: 'build',
      env: values.has(60) ? { PAWL_MAX_ITERATIONS: '60' } : {},
      flags: values.has(70) ? { 'max-iterations': 70 } : {},
    })
}
