import { expect, test } from 'vitest'
import { readCodex } from '../../../src/adapters/agents/codex.ts'
import { readOpencode } from '../../../src/adapters/agents/opencode.ts'

// Words of the real programs that a recording cannot hold, since they change with the day or with a person's rules.

const noon = new Date(2026, 10, 15, 12, 0).getTime()
const local = (day: number, hours: number, minutes: number) => new Date(2026, 10, day, hours, minutes).getTime()

test.each([
  ['9:05 PM', local(15, 21, 5)],
  ['12:30 PM', local(15, 12, 30)],
  ['Nov 16th, 2026 4:05 AM', local(16, 4, 5)],
  ['Nov 22nd, 2026 12:00 AM', local(22, 0, 0)],
  ['noon', undefined],
  ['25:61 PM', undefined],
])('codex: a limit up to %s', (moment, resetAt) => {
  const reader = readCodex(() => noon)
  const message = `You\u2019ve hit your usage limit. Upgrade to Pro or try again at ${moment}.`
  reader.line(JSON.stringify({ type: 'turn.failed', error: { message } }))
  expect(reader.result()).toMatchObject({ fault: 'limit', error: message })
  expect(reader.result().resetAt).toBe(resetAt)
})

const opencode = (error: unknown, ...more: object[]) => {
  const reader = readOpencode(() => noon)
  const tool = { type: 'tool_use', part: { tool: 'write', state: { status: 'error', input: {}, error } } }
  for (const event of [tool, ...more]) reader.line(JSON.stringify(event))
  return reader.result()
}
const rule = 'The user has specified a rule which prevents you from using this specific tool call. Here are some [...]'
const step = (reason: string) => ({ type: 'step_finish', part: { reason, tokens: { input: 1 }, cost: 0 } })

test('opencode: a rule that forbids a tool is counted, and does not end the work', () => {
  expect(opencode(rule)).toMatchObject({ denied: 1, finished: false })
  expect(opencode(rule, step('stop'))).toMatchObject({ denied: 1, finished: true })
})

test('opencode: other failures of a tool are none of that', () => {
  for (const error of ['file not found', { toString: 1 }, null]) expect(opencode(error)).toMatchObject({ denied: 0 })
})
