import { expect, test } from 'vitest'
import type { ProcedureRequest } from '../../../src/modes/procedure/contract/request.ts'
import { procedureData } from '../../../src/modes/procedure/core/event-data.ts'
import { amendProcedure } from '../../../src/modes/procedure/start/amend.ts'

const current: ProcedureRequest = {
  phases: { observe: [], orient: [], decide: [], act: [] },
  context: ['before'],
  gates: [],
  agent: { name: 'claude', argv: ['claude', '-p'] },
  until: 'never',
  redIsFine: false,
}
const agents = {
  choose: ({ command, agent, model }: { command?: string; agent?: string; model?: string }) => ({
    name: command === undefined ? agent! : 'command',
    argv: [command ?? agent!, ...(model === undefined ? [] : ['--model', model])] as [string, ...string[]],
  }),
}
const amend = (flags: Readonly<Record<string, unknown>>) =>
  amendProcedure(current, { flags, cwd: '/nowhere' }, { agents: agents as never })

test('flags equal to the current values change nothing', () => {
  expect(amend({ maxIterations: '3', until: 'never', trust: true })).toMatchObject({
    request: current,
    changes: [],
    anotherAgent: false,
  })
})

test('each change is named, and the policy uses it from then on', () => {
  const { request, changes, terms, anotherAgent } = amend({ agent: 'codex', until: 'gates', context: ['more'] })
  expect(request).toMatchObject({ agent: { name: 'codex' }, until: 'gates', context: ['before', { text: 'more' }] })
  expect(changes).toEqual(['the agent is now codex', 'until is now gates', 'context added'])
  expect(terms).toEqual({ agent: 'codex', until: 'gates' })
  expect(procedureData.terms.safeParse(terms).success).toBe(true)
  expect(anotherAgent).toBe(true)
})

test('another model of the same agent is another agent', () => {
  expect(amend({ model: 'opus' })).toMatchObject({
    changes: ['the agent is now claude --model opus'],
    anotherAgent: true,
  })
})

test('an invalid value is refused with the message of the configuration', () => {
  expect(() => amend({ until: 'soon' })).toThrow(/--until.*never, gates or promise\+gates/)
  expect(() => amend({ context: [' '] })).toThrow('--context is empty')
})
