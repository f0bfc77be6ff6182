import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { composePrompt } from '../../../src/modes/procedure/core/prompt.ts'
import { checkPrompts, parsePromptEntry } from '../../../src/modes/procedure/start/prompt-file.ts'
import { newFolder } from '../../support/folder.ts'

function newPrompts() {
  const folder = newFolder()
  mkdirSync(join(folder, 'prompts'))
  mkdirSync(join(folder, 'src'))
  for (const name of ['look.md', 'prompts/act.md', 'prompts/my notes.txt', 'NOTES']) {
    writeFileSync(join(folder, name), `the content of ${name}`)
  }
  symlinkSync('nowhere.md', join(folder, 'dangling.md'))
  return folder
}

test.each([
  ['look.md', 'file'],
  ['prompts/act.md\n', 'file'],
  ['prompts/my notes.txt', 'file'],
  ['NOTES', 'file'],
  ['missing.md', 'file'],
  ['prompts/missing', 'file'],
  ['dangling.md', 'file'],
  ['Read TODO.md', 'text'],
  ['Read look.md', 'text'],
  ['look around', 'text'],
  ['think', 'text'],
  ['src', 'text'],
  ['look.markdown', 'text'],
  ['Look at src/ and docs/.\nThen read look.md', 'text'],
] as const)('%j is a %s', (written, kind) => {
  expect(parsePromptEntry(written, newPrompts())).toHaveProperty(kind)
})

test('a name that is too long for a file is a text', () => {
  expect(parsePromptEntry('x'.repeat(5000), newPrompts())).toHaveProperty('text')
})

test('a file that is missing, dangling, a folder or unreadable is named before anything starts', () => {
  const folder = newPrompts()
  const none = { orient: [], decide: [], act: [], context: [] }
  const check = (written: string) => () => {
    const entry = parsePromptEntry(written, folder)
    checkPrompts({ phases: { ...none, observe: [entry] }, context: [] }, folder)
  }
  for (const name of ['missing.md', 'dangling.md', 'prompts/']) {
    expect(check(name)).toThrow(`cannot read the prompt file ${name}`)
  }
  expect(check('look.md')).not.toThrow()
  if (process.getuid?.() === 0) return
  chmodSync(join(folder, 'NOTES'), 0)
  expect(check('NOTES')).toThrow('cannot read the prompt file NOTES')
})

test('requests of older versions hold bare strings, and mean what they meant', async () => {
  const phases = { observe: ['look.md'], orient: ['Read it'], decide: [{ text: 'a.md' }], act: [{ file: 'x' }] }
  const prompt = await composePrompt({ phases, context: ['notes.txt', 'hint'] }, async (path) => `<${path}>`)
  expect(prompt).toContain(
    'Source: notes.txt\n\n<notes.txt>\n\nhint\n\n## OBSERVE\n\n<look.md>\n\n## ORIENT\n\nRead it',
  )
  expect(prompt).toContain('## DECIDE\n\na.md\n\n## ACT\n\n<x>')
})
