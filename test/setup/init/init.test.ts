import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { configJsonSchema } from '../../../src/config/json-schema.ts'
import { loadSettings } from '../../../src/config/load-settings.ts'
import { isTrusted, listCommands } from '../../../src/config/trust.ts'
import { openMachine } from '../../../src/machine/open-machine.ts'
import { procedureSettings } from '../../../src/modes/procedure/contract/settings.ts'
import { composePrompt } from '../../../src/modes/procedure/core/prompt.ts'
import type { Environment, Machine } from '../../../src/run/machine.ts'
import { type InitPlan, planInit } from '../../../src/setup/init/plan.ts'
import { writeInit } from '../../../src/setup/init/write.ts'
import { modes } from '../../support/runs.ts'
import { scratch } from './fixture.ts'

const machineIn = (environment: Environment): Machine => openMachine(environment, { modes })

const plan = (environment: Environment, from = environment.cwd): Promise<InitPlan> =>
  planInit(machineIn(environment), from)

async function init(environment: Environment, from = environment.cwd): Promise<InitPlan> {
  const planned = await plan(environment, from)
  await writeInit(machineIn(environment), planned)
  return planned
}

const git = { '.git/': '' }
const npm = { 'package.json': JSON.stringify({ scripts: { test: 'vitest run', lint: 'eslint .' } }) }
const claude = 'echo "2.1.325 (Claude Code)"'

describe('what is written', () => {
  test('loads without a warning, is what was found, and is trusted', async () => {
    const { environment, program } = scratch({ ...git, ...npm }, { ANTHROPIC_API_KEY: 'k' })
    program('claude', claude)
    await init(environment)
    const settings = await loadSettings(machineIn(environment), { procedure: 'build' })
    expect(settings.warnings).toEqual([])
    expect(settings.procedures).toEqual(['build'])
    const value = (key: Parameters<typeof settings.value>[0]) => settings.value(key)
    expect(value('agent')).toBe('claude')
    expect(value('gates')).toEqual(['npm run lint', 'npm test'])
    expect([value('default_iterations'), value('failure_threshold'), value('max_cost')]).toEqual([10, 3, 10])
    expect([value('max_time'), value('attempt_timeout'), value('silence_timeout')]).toEqual([
      10_800_000, 1_800_000, 900_000,
    ])
    expect(settings.lookUp('until')).toMatchObject({ value: 'promise+gates', origin: { tier: 'procedure' } })
    const commands = listCommands(settings)
    expect(commands).toMatchObject({ gates: ['npm run lint', 'npm test'] })
    expect(await isTrusted(environment.stateFolder, environment.cwd, commands)).toBe(true)
  })

  test('has a first line by which editors find the schema beside it, and ignores what runs leave', async () => {
    const { environment, repo } = scratch(git)
    await init(environment)
    const [first] = readFileSync(join(repo, '.pawl/config.yml'), 'utf8').split('\n')
    expect(first).toBe('# yaml-language-server: $schema=./config.schema.json')
    const schema = configJsonSchema(await machineIn(environment).configShape())
    expect(JSON.parse(readFileSync(join(repo, '.pawl/config.schema.json'), 'utf8'))).toEqual(schema)
    expect(readFileSync(join(repo, '.pawl/.gitignore'), 'utf8')).toBe('runs/\nstate/\n')
    expect(lstatSync(join(repo, '.pawl/config.yml')).mode & 0o444).not.toBe(0o400)
  })

  test('names no agent and no gate where none was found, and says what to do', async () => {
    const { environment, repo } = scratch()
    const { notes, agent } = await init(environment)
    const text = readFileSync(join(repo, '.pawl/config.yml'), 'utf8')
    expect(agent).toBeUndefined()
    expect(Object.keys(parse(text) as object)).not.toContain('gates')
    expect(text).toMatch(/^# ai_cmd: "/m)
    expect(text).toMatch(/^# agent: claude +npm install/m)
    expect(text).toMatch(/^# gates:/m)
    expect(notes.join('\n')).toMatch(/No agent[\s\S]*No gate[\s\S]*No plan[\s\S]*Not a git repository/)
    expect(notes.join('\n')).toMatch(
      /cannot be done before its limits.*\.pawl\/config\.yml, such as: gates: \["npm test"\]/,
    )
    expect((await loadSettings(machineIn(environment))).warnings).toEqual([])
  })

  test('has a bound of money only for an agent that reports money', async () => {
    const { environment, program, repo } = scratch(git)
    program('codex', 'echo 0.166.0')
    await init(environment)
    const config = parse(readFileSync(join(repo, '.pawl/config.yml'), 'utf8')) as object
    expect(config).toMatchObject({ agent: 'codex' })
    expect(config).not.toHaveProperty('max_cost')
  })

  test('gates that need quoting survive it', async () => {
    const { environment } = scratch({
      ...git,
      'package.json': '{"scripts":{"test":"react-scripts test","typecheck":"x","check:types":"y"}}',
    })
    await init(environment)
    expect((await loadSettings(machineIn(environment))).value('gates')).toEqual(['npm run typecheck', 'CI=1 npm test'])
    const other = scratch({ ...git, 'package.json': '{"scripts":{"check:types":"tsc"}}' })
    await init(other.environment)
    expect((await loadSettings(machineIn(other.environment))).value('gates')).toEqual(['npm run check:types'])
  })

  test('gates without any test among them are written, and what is missing is told', async () => {
    const notesFor = async (scripts: object) => {
      const { environment } = scratch({ ...git, 'package.json': JSON.stringify({ scripts }) })
      return (await init(environment)).notes.filter((note) => note.startsWith('No tests found'))
    }
    expect(await notesFor({ lint: 'eslint .', build: 'vite build' })).toHaveLength(1)
    expect(await notesFor({ lint: 'eslint .', test: 'vitest run' })).toEqual([])
    expect(await notesFor({ check: 'everything' })).toEqual([])
    expect(await notesFor({})).toEqual([])
  })

  test('a gate whose program is not there is written all the same, and told', async () => {
    const { environment, program, root } = scratch({ ...git, 'mix.exs': '', 'Cargo.toml': '' })
    program('cargo', 'true')
    const { notes } = await init({ ...environment, env: { ...environment.env, PATH: join(root, 'bin') } })
    expect(notes.filter((note) => note.includes('PATH'))).toEqual([
      'Not on your PATH, so these gates would fail: mix test',
    ])
  })
})

describe('the prompts', () => {
  const promptOf = async (files: Record<string, string>, name: 'pawl' | 'rooda' = 'pawl') => {
    const { environment } = scratch({ ...git, ...files })
    const here: Environment = { ...environment, program: name }
    await init(here)
    const settings = await loadSettings(machineIn(here), { procedure: 'build' })
    const { observe = [], orient = [], decide = [], act = [] } = settings.own(procedureSettings)
    const phases = { observe, orient, decide, act }
    const readText = async (path: string) => readFileSync(join(environment.cwd, path), 'utf8')
    return composePrompt({ phases, context: [] }, readText)
  }

  test('compose into the frame, well under the token budget', async () => {
    const prompt = await promptOf({})
    expect(prompt).toMatch(/^# OODA Loop Iteration\n\n## OBSERVE\n\nYou are one iteration/)
    for (const heading of ['ORIENT', 'DECIDE', 'ACT']) expect(prompt).toMatch(new RegExp(`\n\n## ${heading}\n\n\\w`))
    expect(prompt.length).toBeLessThan(6000)
    expect(prompt).not.toMatch(/undefined|\[object/)
  })

  test('explain every promise within a sentence, so that no echo can pass for one', async () => {
    const prompt = await promptOf({})
    for (const word of ['SUCCESS', 'FAILURE', 'BLOCKED']) expect(prompt).toContain(`<promise>${word}</promise>`)
    const lines = prompt.split('\n').map((line) => line.trim())
    expect(lines.filter((line) => /^<promise>\w+<\/promise>$/.test(line))).toEqual([])
  })

  test('name the plan and the sources that are there, and the folder of the program', async () => {
    const prompt = await promptOf({ 'PLAN.md': '', 'specs/': '', 'PRD.md': '' }, 'rooda')
    expect(prompt).toContain('Read the plan, `PLAN.md`, and its sources: `specs/`, `PRD.md`.')
    expect(prompt).toContain('Never edit `.rooda/`')
    expect(prompt).not.toMatch(/\.pawl|TODO\.md/)
    expect(await promptOf({})).toContain('Read the plan, `TODO.md` and the files it points to.')
  })

  test('find the output of the newest gate by a command that works', async () => {
    const prompt = await promptOf({})
    const command = /`(ls -t [^`]+)`/.exec(prompt)?.[1]
    const { environment, repo } = scratch({
      '.pawl/runs/r1/attempts/iteration-1-attempt-1-gate-1.log': 'red',
      '.pawl/runs/r1/attempts/iteration-1-attempt-1-agent.log': 'x',
    })
    const env = { ...environment.env, PAWL_RUN_ID: 'r1' }
    const out = execFileSync('/bin/sh', ['-c', command!], { cwd: repo, env }).toString().trim()
    expect(readFileSync(join(repo, out), 'utf8')).toBe('red')
  })
})

describe('where', () => {
  test('the root of the repository, from any folder in it', async () => {
    const { environment, repo } = scratch({ ...git, 'packages/a/package.json': '{}', ...npm })
    const from = join(repo, 'packages/a')
    const { root, notes } = await init({ ...environment, cwd: from }, from)
    expect(root).toBe(repo)
    expect(notes[0]).toBe(`The workspace is the repository's root ${repo}, not ${from}.`)
    expect(existsSync(join(from, '.pawl'))).toBe(false)
  })

  test('a work tree whose .git is a file is a root too', async () => {
    const { environment, repo } = scratch({ ...git, 'tree/.git': 'gitdir: elsewhere\n' })
    expect((await plan({ ...environment, cwd: join(repo, 'tree') }, join(repo, 'tree'))).root).toBe(join(repo, 'tree'))
  })

  test('this folder where there is no repository, or where all of the home is one', async () => {
    const { environment, repo } = scratch()
    expect((await plan(environment, repo)).root).toBe(repo)
    const dotfiles = scratch(git)
    const work = join(dotfiles.repo, 'work')
    mkdirSync(work)
    const here = { ...dotfiles.environment, home: dotfiles.repo, cwd: work }
    expect((await plan(here, work)).root).toBe(work)
  })

  test('a workspace above the repository is another one; inside it, it holds already', async () => {
    const above = scratch({ '.pawl/config.yml': '{}', 'repo/.git/': '' })
    const inner = join(above.repo, 'repo')
    expect((await plan(above.environment, inner)).root).toBe(inner)
    const within = scratch({ ...git, 'packages/a/.pawl/config.yml': '{}', 'packages/a/src/': '' })
    const at = { ...within.environment, cwd: join(within.repo, 'packages/a') }
    await expect(plan(at, join(at.cwd, 'src'))).rejects.toMatchObject({ exit: 10 })
  })

  test('rooda writes below .rooda, and pawl does not write over what it would read there', async () => {
    const { environment, repo } = scratch(git)
    await init({ ...environment, program: 'rooda' })
    expect(existsSync(join(repo, '.rooda/config.yml'))).toBe(true)
    expect(existsSync(join(repo, '.pawl'))).toBe(false)
    const settings = await loadSettings(machineIn({ ...environment, program: 'rooda' }), { procedure: 'build' })
    const { observe, until } = settings.own(procedureSettings)
    expect(observe).toEqual(['.rooda/prompts/observe.md'])
    expect(until).toBe('promise+gates')
    await expect(plan(environment, repo)).rejects.toThrow('.rooda/config.yml already exists')
    const both = scratch({ ...git, '.pawl/config.yml': '{}' })
    expect((await plan({ ...both.environment, program: 'rooda' }, both.repo)).folder).toBe('.rooda')
  })
})

describe('what is in the way', () => {
  test('any file of its own is refused whole, and nothing is changed', async () => {
    for (const path of ['.pawl/config.yml', '.pawl/prompts/act.md', '.pawl/.gitignore']) {
      const { environment, repo } = scratch({ ...git, [path]: 'mine' })
      await expect(init(environment)).rejects.toMatchObject({ exit: 10, message: expect.stringContaining(path) })
      expect(readFileSync(join(repo, path), 'utf8')).toBe('mine')
      expect(existsSync(join(repo, '.pawl/config.schema.json'))).toBe(false)
    }
  })

  test('a link is not followed, wherever it leads', async () => {
    const { environment, repo, root } = scratch(git)
    mkdirSync(join(root, 'outside'))
    symlinkSync(join(root, 'outside'), join(repo, '.pawl'))
    await expect(init(environment)).rejects.toMatchObject({
      exit: 10,
      message: '.pawl is not a folder: nothing was written',
    })
    expect(existsSync(join(root, 'outside/config.yml'))).toBe(false)
    const other = scratch({ ...git, '.pawl/prompts/': '' })
    symlinkSync('/nowhere', join(other.repo, '.pawl/prompts/act.md'))
    await expect(init(other.environment)).rejects.toMatchObject({ exit: 10 })
  })

  test('runs of an earlier time are no hindrance', async () => {
    const { environment } = scratch({ ...git, '.pawl/runs/.gitignore': '*\n' })
    await expect(init(environment)).resolves.toBeDefined()
  })

  test('what came while the person thought about it is not overwritten either', async () => {
    const { environment, repo, write } = scratch(git)
    const planned = await plan(environment)
    write({ '.pawl/config.yml': 'mine' })
    await expect(writeInit(machineIn(environment), planned)).rejects.toMatchObject({ exit: 10 })
    expect(readFileSync(join(repo, '.pawl/config.yml'), 'utf8')).toBe('mine')
  })

  test('a mistake in the own configuration is told before anything is written', async () => {
    const { environment, repo } = scratch(git, { PAWL_MAX_ITERATIONS: 'many' })
    await expect(init(environment)).rejects.toThrow('PAWL_MAX_ITERATIONS')
    expect(existsSync(join(repo, '.pawl'))).toBe(false)
  })
})

describe('a failure in the middle', () => {
  test('names what was written and what to do, and leaves no draft', async () => {
    const { environment, repo } = scratch(git)
    const planned = await plan(environment)
    // A name too long for any disk.
    const files = planned.files.map((file, index) =>
      index === 2 ? { ...file, path: `.pawl/prompts/${'x'.repeat(300)}.md` } : file,
    )
    await expect(writeInit(machineIn(environment), { ...planned, files })).rejects.toMatchObject({
      exit: 20,
      message: expect.stringContaining('ENAMETOOLONG'),
      hint: 'Written so far: .pawl/.gitignore, .pawl/config.schema.json. Remove these, then: pawl init',
    })
    expect(existsSync(join(repo, '.pawl/config.yml'))).toBe(false)
  })

  test('trust that cannot be kept leaves the files and says so', async () => {
    const { environment, repo, root } = scratch({ ...git, ...npm })
    writeFileSync(join(root, 'home/.local'), 'in the way')
    await expect(init(environment)).rejects.toMatchObject({
      exit: 20,
      hint: expect.stringContaining('run build --trust'),
    })
    expect(existsSync(join(repo, '.pawl/config.yml'))).toBe(true)
  })
})
