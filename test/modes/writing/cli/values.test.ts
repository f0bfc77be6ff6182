import { expect, test } from 'vitest'
import { says } from '../support/novel.ts'
import { shelfFiles, tasksWithOverdue } from '../support/prd.ts'
import { newStudio } from '../support/studio.ts'

test('a setting with a wrong value is refused and stays as it was', async () => {
  const studio = newStudio(shelfFiles)
  const wrong = [
    ['view', 'big', 'full or compact'],
    ['view', '', 'full or compact'],
    ['ask-after', '0', 'how many attempts the judge may reject before you are asked: 1, 2, ...'],
    ['ask-after', 'two', 'how many attempts the judge may reject before you are asked: 1, 2, ...'],
    ['max-cost', 'free', 'US dollars for one iteration, more than 0, or none'],
    ['max-cost', '-1', 'US dollars for one iteration, more than 0, or none'],
    ['max-cost', '0', 'US dollars for one iteration, more than 0, or none'],
    ['output-tokens', 'many', 'the longest reply of the model in tokens, at least 256'],
    ['output-tokens', '255', 'the longest reply of the model in tokens, at least 256'],
  ] as const
  const text = await studio.type(
    wrong.map(([key, value]) => `/config ${key} ${value}`),
    ['/config colour red', '/config'],
    ['/config view compact', '/config ask-after 2', '/config max-cost 0.5', '/config output-tokens 256', '/config'],
    ['/config max-cost none', '/config'],
  )
  const told = [...text.replaceAll('\n', ' ').matchAll(/\[Error: ([^\]]*)\]/g)].map(([, says]) => says)
  expect(told.slice(0, -1)).toEqual(wrong.map(([key, , allowed]) => expect.stringContaining(`${key}: ${allowed}`)))
  expect(told.at(-1)).toBe('there is no setting colour')
  expect(text).toContain('Settings: view, ask-after, max-cost, output-tokens')
  expect(text).toContain('view: full\nask-after: 1\nmax-cost: none\noutput-tokens: default\n')
  expect(text).toContain('view: compact\nask-after: 2\nmax-cost: 0.5\noutput-tokens: 256\n')
  expect(text).toContain('view: compact\nask-after: 2\nmax-cost: none\noutput-tokens: 256\n')
})

test('a model that nobody knows is refused when it is named, and the old one stays', async () => {
  const studio = newStudio(shelfFiles)
  const text = await studio.type(
    ['/model', '/model clade', '/model judge clade', '/model judge', '/model grok', '/model ollama:tiny judge'],
    '/model',
  )
  const shown = `Writer: ${studio.model}\nJudge: the judge of your config.yml, else the model that writes\nKnown: ollama, grok, claude, ollama:<model>, agent:<name>\n`
  expect(text.split(shown)).toHaveLength(3)
  expect(text.match(/\[Error: unknown model: clade\]\nDid you mean claude\? Known: ollama/g)).toHaveLength(2)
  expect(text.match(/\[Error: Name the model that judges: \/model judge claude\]/g)).toHaveLength(2)
  expect(text).toContain('needs a key: XAI_API_KEY is not set')
  const next = await studio.pawl(['write'], [`/model judge ollama:strict`, '/model', '/model ollama:tiny', '/model'])
  expect(next.text).toContain(`Writer: ${studio.model}, judge: ollama:strict`)
  expect(next.text).toContain('Writer: ollama:tiny\nJudge: ollama:strict\n')
})

test('a flag with a wrong value is refused before anything is made', async () => {
  const studio = newStudio(shelfFiles, [
    says.write({ 'tasks.md': tasksWithOverdue }),
    says.judge('needs_revision', 'Not yet.', { again: true }),
  ])
  studio.write('answers.yml', 'judge: yes\naccept: yes\n')
  const rest = ['--model', studio.model, '--answers', 'answers.yml']
  const once = (...more: string[]) =>
    studio.pawl(['write', 'tool-shelf', '--target', 'tasks', '--feedback', 'Add a story', ...rest, ...more])
  for (const [flag, value, allowed] of [
    ['--max-attempts', '0', 'a whole number, at least 1'],
    ['--max-attempts', 'many', 'a whole number, at least 1'],
    ['--output-tokens', '10', 'a whole number, at least 256'],
    ['--output-tokens', '1.5', 'a whole number, at least 256'],
  ] as const) {
    const { code, text } = await once(flag, value)
    expect([code, text]).toEqual([2, expect.stringContaining(allowed)])
  }
  expect((await studio.pawl(['ls'])).text).toContain('No runs')
  const { code, text } = await once('--max-attempts', '2', '--output-tokens', '256')
  expect(text.match(/Attempt \d/g)).toEqual(['Attempt 1', 'Attempt 2'])
  expect(code).toBe(30)
})
