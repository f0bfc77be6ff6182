import { expect, test } from 'vitest'
import { parseRunInput, readRunInput } from '../../../../src/modes/delivery/start/input/read-input.ts'
import { fileWith, goodInput, refusalOf, refusalOfFile, withValue } from './contract-files.ts'

const long = 'x'.repeat(5000)
const command = /allowed: a command: text of 1 to 32768 characters/

test.each<[pointer: string, value: unknown, says: RegExp]>([
  ['/run_id', undefined, /missing, found nothing, allowed: a name of 1 to 100/],
  ['/run_id', null, /found null/],
  ['/run_id', 7, /found 7/],
  ['/run_id', '', /found ""/],
  ['/run_id', '../../etc', /found "\.\.\/\.\.\/etc"/],
  ['/run_id', 'a\n', /found "a\\n"/],
  ['/run_id', '-rf', /found "-rf"/],
  ['/run_id', 'a..b', /wrong value/],
  ['/run_id', 'a.lock', /wrong value/],
  ['/run_id', long, /found "x{78}…, /],
  ['/run_id', 'ünï', /found "ünï"/],
  ['/run_id', '\u202egpj', /found "\\u202egpj"/],
  ['/repo_path', 'shop', /found "shop", allowed: an absolute path/],
  ['/repo_path', '~/shop', /an absolute path/],
  ['/repo_path', 'C:\\shop', /an absolute path/],
  ['/repo_path', '\\\\host\\share', /an absolute path/],
  ['/repo_path', `/${long}`, /an absolute path/],
  ['/repo_path', '/a\nb', /an absolute path/],
  ['/repo_path', ['/a'], /found a list of 1/],
  ['/repo_path', undefined, /missing/],
  ['/prd_path', '/etc/passwd', /allowed: a path inside the repository/],
  ['/prd_path', '../up.md', /a path inside/],
  ['/prd_path', 'a/../../up.md', /a path inside/],
  ['/prd_path', '', /a path inside/],
  ['/prd_path', {}, /found an object/],
  ['/base_branch', '-f', /allowed: the name of a branch/],
  ['/base_branch', 'a..b', /the name of a branch/],
  ['/base_branch', 'a b', /the name of a branch/],
  ['/base_branch', 'HEAD@{1}', /the name of a branch/],
  ['/working_branch', 'x.lock', /the name of a branch/],
  ['/working_branch', '', /the name of a branch/],
  ['/working_branch', long, /the name of a branch/],
  ['/limits', null, /found null, allowed: an object/],
  ['/limits', [], /found an empty list, allowed: an object/],
  ['/limits/story_max_attempts', 0, /found 0, allowed: a whole number from 1 to 1000/],
  ['/limits/story_max_attempts', -4, /found -4/],
  ['/limits/story_max_attempts', 1.5, /found 1\.5/],
  ['/limits/story_max_attempts', '4', /found "4"/],
  ['/limits/story_max_attempts', 2 ** 53, /found 9007199254740992/],
  ['/limits/run_max_attempts', 1e9, /wrong value/],
  ['/limits/story_timeout_minutes', 0, /more than 0 and at most 35000/],
  ['/limits/story_timeout_minutes', 1e6, /more than 0 and at most 35000/],
  ['/limits/run_timeout_minutes', -1, /more than 0/],
  ['/limits/run_timeout_minutes', null, /found null/],
  ['/limits/wait_minutes', -0.1, /0 for never/],
  ['/limits/story_max_attemps', 4, /unknown key, .* Did you mean story_max_attempts\?/],
  ['/limits/toString', 4, /unknown key/],
  ['/verification', undefined, /missing, found nothing, allowed: an object with story_commands and run_commands/],
  ['/verification', 'npm test', /found "npm test", allowed: an object with/],
  ['/verification/story_commands', 'npm test', /allowed: a list of commands/],
  ['/verification/story_commands', undefined, /missing/],
  ['/verification/story_commands/0', '', command],
  ['/verification/story_commands/0', ' \t', command],
  ['/verification/story_commands/0', ['npm', 'test'], command],
  ['/verification/story_commands/0', 'x'.repeat(40_000), command],
  ['/verification/run_commands', Array(201).fill('true'), /found a list of 201, allowed: at most 200 commands/],
  ['/verification/run_commands/0', null, command],
  ['/verification/by_requirement', [], /ids of requirements or stories/],
  ['/verification/by_requirement/AC-01', 'npm test', /a list of commands/],
  ['/verification/allow', 'npm', /a list of program names/],
  ['/verification/comands', [], /unknown key/],
  ['/agent', 'opencode', /allowed: an object with mode and model_hint/],
  ['/agent/mode', 'Ralph Fresh', /the name of a mode/],
  ['/agent/mode', '../mode', /the name of a mode/],
  ['/agent/model_hint', '', /the name of an agent/],
  ['/agent/model', 'x', /unknown key/],
  ['/policy/tampering', 'ignore', /found "ignore", allowed: warn, block or ask/],
  ['/policy/dirty', true, /found true, allowed: refuse, include or snapshot/],
  ['/policy/retry_unproven', 'yes', /allowed: true or false/],
  ['/verificaton', {}, /unknown key, found "verificaton", .* Did you mean verification\?/],
  ['/RUN_ID', 'a', /unknown key/],
])('a run input is refused at %s: %j', (pointer, value, says) => {
  const path = pointer.slice(1).split('/')
  const refusal = refusalOfFile(fileWith(JSON.stringify(withValue(goodInput, path, value))), readRunInput)
  expect(refusal.pointer).toBe(pointer)
  expect(refusal.message).toContain(`given.json ${pointer}: `)
  expect(refusal.message).toMatch(says)
})

test('a run input without any command has no verification', () => {
  const bare = { ...goodInput, verification: { story_commands: [], run_commands: [], by_requirement: { S1: [] } } }
  expect(refusalOf(() => parseRunInput(JSON.stringify(bare), 'in.json')).message).toMatch(
    /^in\.json \/verification: no verification configured, found no command, allowed: at least one/,
  )
})

test('numbers that JavaScript cannot hold are refused as they were read', () => {
  const text = JSON.stringify(goodInput)
  for (const [digits, shown] of [
    ['1e309', 'Infinity'],
    ['-1e309', '-Infinity'],
    ['9007199254740993', '9007199254740992'],
    ['-0', '0'],
    ['1e-400', '0'],
  ]) {
    const given = text.replace('"story_max_attempts":3', `"story_max_attempts":${digits}`)
    expect(refusalOf(() => parseRunInput(given, 'in.json')).message).toMatch(
      `/limits/story_max_attempts: wrong value, found ${shown},`,
    )
  }
})

test('what is left out has its default', () => {
  const { limits: _, agent: __, policy: ___, ...least } = goodInput
  expect(parseRunInput(JSON.stringify(least), 'in.json')).toMatchObject({
    limits: { story_max_attempts: 4, run_max_attempts: 20, story_timeout_minutes: 20, run_timeout_minutes: 180 },
    agent: { mode: 'ralph_fresh' },
    policy: { tampering: 'warn', dirty: 'include' },
  })
})

test('a pointer is escaped, and a key that nobody would write is not taken into it', () => {
  const at = (key: string) =>
    refusalOf(() =>
      parseRunInput(JSON.stringify(withValue(goodInput, ['verification', 'by_requirement', key], 3)), 'in'),
    )
  expect(at('a/b~c').pointer).toBe('/verification/by_requirement/a~1b~0c')
  expect(at('k'.repeat(500_000)).pointer).toBe('/verification/by_requirement')
  expect(at('\u001b[31m').message).toMatch(/by_requirement\/\\u001b\[31m: /)
})

test('a key in the text that is found is masked', () => {
  const given = withValue(goodInput, ['agent', 'mode'], 'sk-aaaaaaaaaaaaaaaaaaaaaaaa')
  expect(refusalOf(() => parseRunInput(JSON.stringify(given), 'in.json')).message).toMatch(/found "\*\*\*"/)
})

test('the end of a long path is shown', () => {
  const refusal = refusalOf(() => parseRunInput('{', `/${'deep/'.repeat(200)}run-input.json`))
  expect(refusal.message).toMatch(/^…[^ ]{80,98}run-input\.json:1:2: /)
})
