import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { LoopEvent } from '../../src/contract/event.ts'
import { PawlError } from '../../src/contract/exit.ts'
import { fromLine, Line, toLine } from '../../src/contract/line.ts'
import type { Reason } from '../../src/contract/reasons.ts'
import { RunInput } from '../../src/modes/delivery/contract/input.ts'
import { Plan } from '../../src/modes/delivery/contract/plan.ts'
import { DeliveryResult, nextActions, reasonExits, reasons } from '../../src/modes/delivery/contract/result.ts'
import { callAgain } from '../../src/modes/delivery/start/call-again.ts'
import { DeliveryError } from '../../src/modes/delivery/start/input/contract-error.ts'
import { checkRemains, lockOutDir } from '../../src/modes/delivery/start/out-dir.ts'
import { writeRefusal } from '../../src/modes/delivery/start/refusal.ts'
import type { DeliveryEnvelope } from '../../src/modes/delivery/start/request.ts'
import { createDelivery } from '../../src/modes/delivery/start/request.ts'
import type { StoredRun } from '../../src/ports/run-store.ts'
import { readRun } from '../../src/run/read-run.ts'
import { listSchemas } from '../../src/surfaces/cli/commands/schema.ts'
import { everyKind } from '../../src/testing/journal-suite.ts'
import { type OutDirName, outDirNames, readOutDir, writeOutDir } from '../../src/testing/out-dirs.ts'
import { eventsAt, programAt, requestAt } from '../support/runs.ts'
import { hasRun, projected, readJson } from './out-dirs/check.ts'

const page = fs.readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'contract.md'), 'utf8')
const scratch = fs.mkdtempSync(join(tmpdir(), 'pawl-page-'))
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))
let folders = 0
const newFolder = (): string => join(scratch, String(folders++))

const sectionOf = (title: string): string => page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ''

/** Rows of the tables in a section, cell by cell, heads left out. */
function rowsOf(title: string): string[][] {
  const tables = sectionOf(title).matchAll(/^\|(.*)\|$/gm)
  const rows = [...tables].map(([, row]) => row!.split('|').map((cell) => cell.trim()))
  return rows.filter(([first], index) => !first!.startsWith('---') && !rows[index + 1]?.[0]?.startsWith('---'))
}

type Row = { ending: string; name: OutDirName | undefined; says: Record<string, unknown>; again: string }
const endings: Row[] = rowsOf('Exit codes').map(([ending, status, reason, exit, next_action, code, again]) => ({
  ending: ending!,
  name: /^`([a-z-]+)`/.exec(ending!)?.[1] as OutDirName | undefined,
  says: { status, reason: reason || null, exit: exit ? Number(exit) : null, next_action, code: code || null },
  again: again!,
}))

const gist = ({ status, reason, exit, next_action, error }: DeliveryResult): Row['says'] => ({
  status,
  reason,
  exit,
  next_action,
  code: error?.code ?? null,
})

/** Endings of which there is no out-dir, made from the very parts that make them in the program. */
const others: Readonly<Record<string, () => Promise<DeliveryResult>>> = {
  'input, plan, PRD and out-dir do not match': () => refused(new DeliveryError('plan_generation_failed', 'other')),
  'another out-dir has used the `run_id`': () => refused(new DeliveryError('plan_generation_failed', 'used')),
  'a command is not in `verification.allow`, or its program is missing': () =>
    refused(new DeliveryError('story_verification_failed', 'no such program')),
  'the agent did no work: no login, a missing variable, or (with `stuck_after`) nothing but failures': () => {
    const dir = laidOut('killed')
    return projected(dir, undefined, {
      ...endedBy(dir, { code: 'blocked_dependency' }),
      ending: 'blocked',
    } as LoopEvent)
  },
  "the agent's program is missing": () => refused(new PawlError(10, 'no such program')),
  'an internal error in Pawl': () => refused(new TypeError('x is not a function')),
  'interrupted or unavailable 20 times in a row': () => {
    const dir = laidOut('killed')
    return projected(dir, undefined, endedBy(dir, { code: 'cap_spent', cap: 'interruptionsInARow' }))
  },
  'Ctrl-C': () => projected(laidOut('interrupted'), 'SIGINT'),
  SIGHUP: () => projected(laidOut('interrupted'), 'SIGHUP'),
}

function laidOut(name: OutDirName): string {
  const dir = newFolder()
  writeOutDir(name, dir)
  return dir
}

const { machine, modes } = programAt(scratch)

async function refused(error: Error): Promise<DeliveryResult> {
  const dir = newFolder()
  await writeRefusal(machine, dir, error, 'run_1')
  return readJson(join(dir, 'result.json')) as DeliveryResult
}

function endedBy(dir: string, reason: Reason): LoopEvent {
  const { seq } = eventsAt(dir).at(-1)!
  return {
    type: 'run-ended',
    ending: 'failed',
    reason,
    seq: seq + 1,
    epoch: 1,
    at: 0,
    ms: 0,
    task: null,
    attempt: null,
  }
}

/** What the program makes of the same call once more. */
async function calledAgain(dir: string): Promise<string> {
  const known = hasRun(dir) ? dir : laidOut('success')
  const wanted = requestAt<DeliveryEnvelope['with']>(known)
  const planText = fs.readFileSync(join(known, 'plan.json'), 'utf8')
  const { run, lock } = await lockOutDir(machine, dir, () => {})
  try {
    if (run) return await goesOn(run.stored, wanted, planText)
    checkRemains(dir)
    await createDelivery(machine, wanted, planText, { at: dir, listed: false })
    return 'starts'
  } finally {
    await lock.release()
  }
}

async function goesOn(stored: StoredRun, wanted: DeliveryEnvelope, planText: string): Promise<string> {
  const { reopen } = await callAgain(machine, stored, wanted, planText, { held: true })
  if (reopen) return 'reopens'
  const { ended, question } = (await readRun(stored)).state
  return ended ? 'same result' : question ? 'asks again' : 'resumes'
}

test('a call that cannot save its plan exits with 20 and starts nothing', async () => {
  const dir = laidOut('attempt-budget-exhausted')
  const wanted = requestAt<DeliveryEnvelope['with']>(dir)
  const planText = fs.readFileSync(join(dir, 'plan.json'), 'utf8')
  const { run, lock } = await lockOutDir(machine, dir, () => {})
  const put = (): Promise<never> => Promise.reject(new Error('ENOSPC: no space left on device'))
  const stored = { ...run!.stored, content: { ...run!.stored.content, put } }
  await expect(goesOn(stored, wanted, planText)).rejects.toMatchObject({ exit: 20, hint: 'Nothing was started.' })
  await lock.release()
})

describe('the table of endings', () => {
  test.each(endings.filter(({ name }) => name !== undefined && name !== 'killed'))(
    '$ending',
    async ({ name, says, again }) => {
      const dir = laidOut(name!)
      expect(gist(readJson(join(dir, 'result.json')) as DeliveryResult)).toEqual(says)
      expect(readOutDir(name!).exit).toBe(says.exit)
      expect(await calledAgain(dir)).toBe(again)
    },
  )

  test('a killed run has no result and resumes', async () => {
    const dir = laidOut('killed')
    expect(fs.existsSync(join(dir, 'result.json'))).toBe(false)
    expect(await calledAgain(dir)).toBe(endings.find(({ name }) => name === 'killed')!.again)
  })

  test.each(endings.filter(({ name }) => name === undefined))('$ending', async ({ ending, says }) => {
    expect(Object.keys(others)).toContain(ending)
    expect(gist(await others[ending]!())).toEqual(says)
  })

  test('it has every out-dir once, every reason with its exit, every status and every next action', () => {
    expect(endings.flatMap(({ name }) => name ?? []).sort()).toEqual([...outDirNames].sort())
    const told = (key: string) => new Set(endings.map(({ says }) => says[key]).filter(Boolean))
    expect(told('reason')).toEqual(new Set(reasons))
    expect(told('status')).toEqual(new Set(DeliveryResult.unwrap().shape.status.options))
    expect(told('next_action')).toEqual(new Set(nextActions))
    for (const { says } of endings) {
      if (says.reason) expect(says.exit).toBe(reasonExits[says.reason as keyof typeof reasonExits])
    }
  })
})

/** `stories[].id` and the like: every field that a schema has, down to what holds no more fields. */
function fieldsOf(schema: z.core.$ZodType, at = ''): string[] {
  const { def } = schema._zod as unknown as {
    def: { type: string; innerType?: never; element?: never; shape?: object }
  }
  if (def.innerType) return fieldsOf(def.innerType, at)
  if (def.type === 'array') return fieldsOf(def.element!, `${at}[]`)
  if (def.type !== 'object') return [at.replace(/\[\]$/, '')]
  return Object.entries(def.shape!).flatMap(([key, inner]) => fieldsOf(inner as never, at ? `${at}.${key}` : key))
}
const firstCells = (title: string): string[] =>
  rowsOf(title).flatMap(([first]) => /^`([^`]+)`$/.exec(first!)?.[1] ?? [])

test.each([
  ['run-input.json', RunInput],
  ['plan.json', Plan],
  ['result.json', DeliveryResult],
])('the page has every field of %s, in its order, and no other', (title, schema) => {
  expect(firstCells(title)).toEqual(fieldsOf(schema))
})

test('the page has every field of a line, and every phase with all that can follow it', () => {
  const phases = ['run', 'task', 'execute', 'call', 'verify', 'decide', 'wait', 'human']
  expect(firstCells('progress.ndjson')).toEqual([...fieldsOf(Line), ...phases])
  const told = rowsOf('progress.ndjson').slice(-phases.length)
  const pairs = told.flatMap(([phase, all]) =>
    [...all!.matchAll(/`([a-z-]+)`/g)].map(([, status]) => `${phase!.replaceAll('`', '')}/${status}`),
  )
  const known = everyKind.map((draft) => toLine({ ...draft, seq: 1, epoch: 1 }, 'run_1'))
  for (const { phase, status } of known) expect(pairs).toContain(`${phase}/${status}`)
})

test('the defaults on the page are those of the program', () => {
  const { contract_version, run_id, repo_path, prd_path, base_branch, working_branch } = RunInput.parse(
    example('run-input'),
  )
  const least = { contract_version, run_id, repo_path, prd_path, base_branch, working_branch }
  const parsed: unknown = RunInput.parse({ ...least, verification: { story_commands: ['x'], run_commands: [] } })
  for (const [field, , given] of rowsOf('run-input.json')) {
    const path = field!.replaceAll('`', '').split('.')
    const value = path.reduce((inner: unknown, key) => (inner as Record<string, unknown>)?.[key], parsed)
    if (given === 'none') expect(value, field).toBeUndefined()
    else if (given === 'required') expect(value, field).toBeDefined()
    else expect(JSON.stringify(value), field).toBe(given!.replaceAll('`', ''))
  }
})

const example = (name: string): unknown =>
  JSON.parse(new RegExp(`^\`\`\`json ${name}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '')

test('the examples are what they are examples of', () => {
  RunInput.parse(example('run-input'))
  DeliveryResult.parse(example('result'))
  expect(fromLine(Line.parse(example('progress')))).toBeDefined()
  expect(page.match(/^```json/gm)).toHaveLength(3)
})

test('the schemas and modules that it names are there', () => {
  const schemas = listSchemas({ machine, modes })
  for (const name of ['run-input', 'plan', 'progress', 'result']) expect(schemas).toHaveProperty(name)
  const named = Array.from(page.matchAll(/from 'pawl\/([a-z/-]+)'/g), ([, path]) => path!)
  expect(named).not.toEqual([])
  for (const path of named) expect(fs.existsSync(sourceOf(path)), path).toBe(true)
})

/** The source of a module that the package exports by this name. */
function sourceOf(path: string): string {
  const root = join(import.meta.dirname, '..', '..')
  const { exports } = readJson(join(root, 'package.json')) as { exports: Record<string, { default?: string }> }
  const prefixes = Object.keys(exports).map((name) => name.replace(/^\.\/|\*$/g, ''))
  const prefix = prefixes.find((name) => name.endsWith('/') && path.startsWith(name)) ?? ''
  const built = exports[`./${prefix}*`]?.default?.replace('*', path.slice(prefix.length)) ?? ''
  return join(root, built.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
}
