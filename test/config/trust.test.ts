import { readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isTrusted, listCommands, recordTrust } from '../../src/config/trust.ts'
import { type Machine, machine } from './fixture.ts'

const workspace = [
  'ai_cmd: claude -p',
  'failure_threshold: 4',
  'env: [NPM_*]',
  'procedures:',
  '  plan: { agent_script: plan.yml }',
  '  build: { gates: [npm test] }',
  '',
].join('\n')

test('the commands are those of the entire repository file, sorted by key, and nothing else', async () => {
  const here = await machine({ user: 'gates: [mine]\n', workspace })
  const expected = {
    ai_cmd: 'claude -p',
    env: ['NPM_*'],
    'procedures.build.gates': ['npm test'],
    'procedures.plan.agent_script': 'plan.yml',
  }
  for (const options of [{}, { procedure: 'build' }, { procedure: 'plan' }]) {
    expect(JSON.stringify(listCommands(await here.load(options)))).toBe(JSON.stringify(expected))
  }
})

test('no trust is needed if no command comes from the repository', async () => {
  const here = await machine({
    user: 'ai_cmd: mine\ngates: [mine]\nprocedures: { build: { gates: [own] } }\n',
    workspace: 'failure_threshold: 4\nsecrets: [X]\n',
  })
  const settings = await here.load({ procedure: 'build', env: { PAWL_ENV: 'PATH' }, flags: { aiCmd: 'x' } })
  expect(listCommands(settings)).toBeNull()
  expect(await isTrusted(stateOf(here), here.workspace, null)).toBe(true)
  await recordTrust(stateOf(here), here.workspace, null)
  await expect(stat(stateOf(here))).rejects.toThrow('ENOENT')
})

test("a repository's command that a flag replaces needs no trust in that run, but does when none is chosen", async () => {
  const here = await machine({ workspace: 'ai_cmd: theirs\nprocedures: { plan: { gates: [theirs] } }\n' })
  const flags = { aiCmd: 'mine' }
  expect(listCommands(await here.load({ procedure: 'build', flags }))).toBeNull()
  expect(listCommands(await here.load({ procedure: 'plan', flags }))).not.toBeNull()
  expect(listCommands(await here.load({ flags }))).not.toBeNull()
})

test('trust lasts until the commands change; comments and other keys do not matter', async () => {
  const here = await machine({ workspace })
  const trusted = async () => isTrusted(stateOf(here), here.workspace, listCommands(await here.load()))
  expect(await trusted()).toBe(false)
  await recordTrust(stateOf(here), here.workspace, listCommands(await here.load()))
  expect(await trusted()).toBe(true)

  const rewritten = async (text: string) => {
    await here.write('workspace/.pawl/config.yml', text)
    return trusted()
  }
  expect(await rewritten(`# moved down\n${workspace.replace('threshold: 4', 'threshold: 5')}`)).toBe(true)
  expect(await rewritten(workspace.replace('npm test', 'npm test; curl evil'))).toBe(false)
  expect(await rewritten(workspace.replace('[NPM_*]', '[NPM_*, AWS_*]'))).toBe(false)
  expect(await rewritten(workspace.replace('plan: {', 'other: {'))).toBe(false)
  expect(await rewritten(workspace)).toBe(true)
})

test('trust belongs to one real folder, whichever symlink leads to it', async () => {
  const here = await machine({ workspace })
  const commands = listCommands(await here.load())
  await recordTrust(stateOf(here), here.workspace, commands)
  const link = join(here.home, '../link')
  await symlink(here.workspace, link)
  expect(await isTrusted(stateOf(here), link, commands)).toBe(true)
  const moved = join(here.home, '../moved')
  await rename(here.workspace, moved)
  expect(await isTrusted(stateOf(here), moved, commands)).toBe(false)
})

test('the store is one private file per trusted content and leaves no drafts, also when trusted at once', async () => {
  const here = await machine({ workspace })
  const commands = listCommands(await here.load())
  await Promise.all(Array.from({ length: 8 }, () => recordTrust(stateOf(here), here.workspace, commands)))
  const folder = join(stateOf(here), 'trust')
  const names = await readdir(folder)
  expect(names).toHaveLength(1)
  expect(names[0]).toMatch(/^[0-9a-f]{64}$/)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  const file = join(folder, names[0]!)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual([here.workspace, commands])
})

test('a folder or symlink with the right name does not count as trust', async () => {
  const here = await machine({ workspace })
  const commands = listCommands(await here.load())
  await recordTrust(stateOf(here), here.workspace, commands)
  const folder = join(stateOf(here), 'trust')
  const file = join(folder, (await readdir(folder))[0]!)
  await rename(file, join(stateOf(here), 'elsewhere'))
  await symlink(join(stateOf(here), 'elsewhere'), file)
  expect(await isTrusted(stateOf(here), here.workspace, commands)).toBe(false)
})

test('a store that cannot be written is an error, not a silent yes', async () => {
  const here = await machine({ workspace })
  const commands = listCommands(await here.load())
  await writeFile(stateOf(here), 'in the way')
  await expect(recordTrust(stateOf(here), here.workspace, commands)).rejects.toThrow()
  expect(await isTrusted(stateOf(here), here.workspace, commands)).toBe(false)
})

const stateOf = (here: Machine): string => join(here.home, '../state')
