import { describe, expect, test } from 'vitest'
import { splitCommand } from '../../src/machine/split-command.ts'

describe('a command is split as a shell would', () => {
  test.each([
    ['agent --headless', ['agent', '--headless']],
    ['  agent\t-p  "two words" ', ['agent', '-p', 'two words']],
    [`agent 'it is "quoted"' ""`, ['agent', 'it is "quoted"', '']],
    ['agent a\\ b "c\\"d" \'e\\f\'', ['agent', 'a b', 'c"d', 'e\\f']],
    ['agent "a\\b" $HOME | tee *', ['agent', 'a\\b', '$HOME', '|', 'tee', '*']],
    ['agent pre"mid"\'post\'', ['agent', 'premidpost']],
  ])('%s', (text, words) => expect(splitCommand(text)).toEqual(words))

  test('an open quote and an empty command are refused', () => {
    expect(() => splitCommand('agent "open')).toThrow('unclosed')
    expect(() => splitCommand('  ')).toThrow('empty')
  })
})
