import { expect, test } from 'vitest'
import { iteratePrompt } from '../../../../dist/index.js'
import { stage } from './stage.ts'
import { refineWorkspace } from './workspace.ts'

/** What models put around a text is not part of it. */

const document = '# Tides\n\nThe sea rises twice a day.\n\n```sh\ntide now\n```\n\nSee you at low water.'
const wrapped = `Sure! Here is the text:\n\n\`\`\`markdown\n${document}\n\`\`\`\n\nLet me know if you need more!`

test('a file gets the text alone; the judge saw the same text, and the reply is kept in the run', async () => {
  const { put, read, refine, run, staged, journal } = await refineWorkspace({ beats: [{ text: wrapped, score: 90 }] })
  put('tides.md', '# Tides\n\nThe sea rises.\n')
  const { code, err } = await refine('tides.md', '--write', '--preset', 'sap-0020')
  expect([code, err]).toEqual([0, expect.stringContaining('tides.md was written')])
  expect(read('tides.md')).toBe(`${document}\n`)
  for (const { prompt } of staged.calls('judge')) {
    expect(prompt).toContain(document)
    expect(prompt).not.toContain('Let me know')
  }
  expect((await run('show', 'tides', '--text')).out.trimEnd()).toBe(document)
  const refs = JSON.stringify(journal())
  expect([refs.includes('generate.md'), refs.includes('text.md')]).toEqual([true, true])
})

test.each<[string, string, string]>([
  ['between the markers that it was asked for', `Gladly!\n<answer>\n${document}\n</answer>\nDone.`, document],
  ['that is only talk around a text', `Sure! Here is the text:\n\n${document}\n\nLet me know!`, document],
  ['that is only a text, with a fence inside', document, document],
  ['that begins with an announcement of its own', 'Here are the steps:\n\n1. Wait.', 'Here are the steps:\n\n1. Wait.'],
])('the library returns the text of a reply %s', async (_, reply, text) => {
  const { env, calls } = await stage({ beats: [{ text: reply, score: 90 }] })
  const refined = await iteratePrompt('Write about tides', { ladder: ['ollama'], env })
  expect(refined).toMatchObject({ status: 'completed', output: text })
  expect(new Set(refined.iterations.map(({ output }) => output))).toEqual(new Set([text]))
  expect(calls('write')[0]!.system).toContain('between <answer> and </answer>')
})

test('a plain answer after a failure is unwrapped too', async () => {
  const plain = { text: wrapped, usage: { input: 1, output: 9 } }
  const { env } = await stage({ beats: [{ score: 60 }, { score: 60 }], plain })
  const refined = await iteratePrompt('Write about tides', { ladder: ['ollama', 'grok'], env })
  expect(refined).toMatchObject({ status: 'aborted', fallback: 'single-shot', output: document })
})

test('a reply of nothing but markers is no text', async () => {
  const { env } = await stage({ beats: [{ text: '<answer>\n</answer>', score: 90 }] })
  const refined = await iteratePrompt('Write about tides', { ladder: ['ollama'], env })
  expect(refined).toMatchObject({ status: 'aborted', reason: 'no_text', problem: 'an empty answer' })
})
