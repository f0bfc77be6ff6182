import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Claim, Speaker } from './claims/claim.ts'
import { contradictions } from './claims/contradictions.ts'
import { echoes } from './claims/echo.ts'
import { facts } from './claims/facts.ts'
import { failureWords } from './claims/failure-words.ts'
import { gaps } from './claims/gaps.ts'
import { iterate, promptOf } from './claims/iterate.ts'
import { limitWords } from './claims/limit-words.ts'
import { middles } from './claims/middles.ts'
import { negations } from './claims/negations.ts'
import { quotes } from './claims/quotes.ts'
import { readyWords } from './claims/ready-words.ts'
import { speak } from './claims/speak.ts'
import { spellings } from './claims/spellings.ts'
import { tools } from './claims/tools.ts'
import { truths } from './claims/truths.ts'

const families = {
  'the prompt comes back': echoes,
  'a promise that is denied': negations,
  'a promise that is quoted': quotes,
  'a promise with more around it': middles,
  'almost a promise': spellings,
  'promises that contradict each other': contradictions,
  'a tool printed it': tools,
  'stream, exit code or gates say otherwise': facts,
  'words of being done': readyWords,
  'words of limits, outages, logins and permissions': limitWords,
  'words of failing and being blocked': failureWords,
}

const folder = mkdtempSync(join(tmpdir(), 'pawl-claims-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const everybody: readonly Speaker[] = ['text', 'claude', 'codex', 'opencode']

const noPromise = 'all gates passed in the last iteration, but the agent did not promise success'

/** Neither done nor blocked nor waiting, nothing denied; failed only where the exit code or a gate says so. */
async function isNotBelieved({ says, act, gate, by = everybody, ...words }: Claim): Promise<void> {
  const said = typeof says === 'string' ? says : says(await promptOf({ act }))
  const red = gate !== undefined || words.exitCode !== undefined
  const wentOn = {
    left: 'ended',
    ending: 'failed',
    reason: `reached max iterations: ${red ? 'the last iteration failed' : noPromise}`,
    agent: words.exitCode === undefined ? 'ok' : 'failed',
    fault: undefined,
    denied: 0,
    idle: 0,
    done: red ? 0 : 1,
    failed: red ? 1 : 0,
  }
  const played = by.map(async (speaker) => ({
    speaker,
    ...(await iterate(folder, speaker, speak(speaker, { ...words, says: said }), { act, gate })),
  }))
  expect(await Promise.all(played)).toEqual(by.map((speaker) => ({ speaker, ...wentOn })))
}

describe.each(Object.entries(families))('%s', (_, claims) => {
  test.each(claims)('$name: not $looksLike', isNotBelieved)
})

describe('indistinguishable from a promise', () => {
  for (const claim of gaps) test.fails(`${claim.name}: not ${claim.looksLike}`, () => isNotBelieved(claim))
})

describe('real promises', () => {
  test.each(truths)('$name', async ({ speaker, shown, cameTo }) => {
    expect(await iterate(folder, speaker, shown, {})).toMatchObject(cameTo)
  })
})

describe('a helper that claude started promised something', () => {
  const framed = speak('claude', { tool: 'checked', says: 'It is so.\n<promise>BLOCKED</promise>' }).stdout
  const lines = framed.trimEnd().split('\n')
  const result = JSON.parse(lines.pop()!)
  const helper = { ...JSON.parse(lines.pop()!), parent_tool_use_id: 'toolu_0' }
  const show = (exitCode: number, ...more: readonly unknown[]) =>
    ({ stdout: [...lines, ...more.map((event) => JSON.stringify(event))].join('\n'), stderr: '', exitCode }) as const

  test('and claude was killed', async () => {
    const cameTo = await iterate(folder, 'claude', show(137, helper), {})
    expect(cameTo).toMatchObject({ ending: 'failed', agent: 'failed', failed: 1 })
  })

  test('and claude said nothing', async () => {
    const cameTo = await iterate(folder, 'claude', show(0, helper, { ...result, result: '' }), {})
    expect(cameTo).toMatchObject({ ending: 'failed', agent: 'ok', done: 1 })
  })
})

test('no case is duplicated', () => {
  const all = Object.values(families).flat()
  expect(all.length).toBeGreaterThan(110)
  const told = all.map((claim) => JSON.stringify({ ...claim, name: '', looksLike: '', says: String(claim.says) }))
  expect(new Set(told).size).toBe(all.length)
})
