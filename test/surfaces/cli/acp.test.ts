import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newWorkspace } from './pawl.ts'

const fake = fileURLToPath(new URL('../../adapters/agents/fixtures/acp-agent.ts', import.meta.url))
const procedure = { agent: undefined, until: 'promise+gates', gates: ['test -f made.txt'] }

test('an agent of the Agent Client Protocol completes a run, and its request names the command alone', async () => {
  const pawl = newWorkspace({ procedure })
  const ended = await pawl.run(
    'run',
    'build',
    '-n',
    '3',
    '--trust',
    '--agent',
    `acp:'${process.execPath}' "${fake}" works`,
  )
  expect([ended.code, ended.err]).toEqual([0, expect.any(String)])
  expect(readFileSync(join(pawl.workspace, 'made.txt'), 'utf8')).toBe('made\n')
  const { agent } = JSON.parse(readFileSync(join(pawl.dirOf(), 'request.json'), 'utf8')).with
  expect(agent).toEqual({ name: 'acp', argv: [process.execPath, fake, 'works'] })
  expect(pawl.journal().find(({ phase, status }) => phase === 'execute' && status === 'ok')).toMatchObject({
    context: { data: { promise: 'SUCCESS' } },
  })
})

test.each([
  ['acp:pawl-no-such-agent --acp', 30, /no such program: pawl-no-such-agent[\s\S]*first word after acp:/],
  [`acp:"half`, 30, /agent has an unclosed "/],
  ['acp:  ', 30, /agent is empty/],
])('%s is refused before the first iteration', async (agent, code, words) => {
  const pawl = newWorkspace({ procedure })
  const ended = await pawl.run('run', 'build', '-n', '1', '--trust', '--agent', agent)
  expect([ended.code, ended.err]).toEqual([code, expect.stringMatching(words)])
  expect(existsSync(join(pawl.workspace, '.pawl', 'runs'))).toBe(false)
})
