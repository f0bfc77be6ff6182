// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's own variables
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstWords, refuseCommand } from '../../../../src/modes/delivery/start/input/command-policy.ts'
import { isWhole } from '../../../support/sample.ts'
import { newFolder } from './contract-files.ts'

test('without a list of programs only what cannot be a command is refused', () => {
  expect(refuseCommand('', undefined)).toBe('the command is empty')
  expect(refuseCommand(' \n\t', undefined)).toBe('the command is empty')
  expect(refuseCommand('npm\0test', undefined)).toBe('the command contains NUL')
  expect(refuseCommand(`: ${'ü'.repeat(16 * 1024)}`, undefined)).toBe('the command is longer than 32 KiB')
  expect(refuseCommand('x'.repeat(32 * 1024), undefined)).toBeUndefined()
  expect(refuseCommand('(cd a; $(b) > c) &', undefined)).toBeUndefined()
})

test.each([
  ['npm test', ['npm']],
  ['  npm   test  ', ['npm']],
  ['npm test -- "a && b; c | d"', ['npm']],
  ["npm test -- 'a $(b) `c` > d'", ['npm']],
  ['npm run lint && npm test', ['npm', 'npm']],
  ['npm run lint; node --test', ['npm', 'node']],
  ['npm test || node x | npm y & npm z', ['npm', 'node', 'npm', 'npm']],
  ['npm a\nnode b\n', ['npm', 'node']],
  ['npm a &&\n\n  node b', ['npm', 'node']],
  ['npm test # ; rm -rf x', ['npm']],
  ['# first\nnpm test', ['npm']],
  ['npm test 2>&1', ['npm']],
  ['npm test >/dev/null 2>&1', ['npm']],
  ['2>/dev/null npm test', ['npm']],
  ['npm test <&- >> /dev/null', ['npm']],
  ['"npm" test', ['npm']],
  ["n'p'm test", ['npm']],
  ['n\\pm test', ['npm']],
  ['npm test -- $HOME ${CI} "$x"', ['npm']],
  ['npm test a\\;b a\\ b', ['npm']],
  ['npm;', ['npm']],
  ['npm "2">&1', ['npm']],
  ['npm a#b', ['npm']],
])('%j runs only what is allowed', (command, words) => {
  expect(firstWords(command)).toEqual(words)
  expect(refuseCommand(command, ['npm', 'node'])).toBeUndefined()
})

test.each([
  ['rm -rf x', '"rm" is not in verification.allow'],
  ['npm test; rm x', '"rm" is not'],
  ['npm test\nrm x', '"rm" is not'],
  ['npm&&rm', '"rm" is not'],
  ['npm|rm', '"rm" is not'],
  ['npm||rm', '"rm" is not'],
  ['npm&rm', '"rm" is not'],
  ['npm;rm', '"rm" is not'],
  ['npmx', '"npmx" is not'],
  ['./npm', '"./npm" is not'],
  ['NPM test', '"NPM" is not'],
  ['npm\r', '"npm\\r" is not'],
  ['"" npm', '"" is not'],
  ['"npm test"', '"npm test" is not'],
  ['"2">&1', '"2" is not'],
  ['npm # x\nrm', '"rm" is not'],
  ['npm "#" ; rm', '"rm" is not'],
  ['FOO=1 npm test', 'it sets a variable'],
  ['PATH=/tmp npm test', 'it sets a variable'],
  ['$(x)', 'a command substitution'],
  ['npm $(rm x)', 'a command substitution'],
  ['npm "$(rm x)"', 'a command substitution'],
  ['npm `rm x`', 'a command substitution'],
  ['npm "`rm x`"', 'a command substitution'],
  ['npm $((1+1))', 'a command substitution'],
  ['npm "$\\\n(rm x)"', 'a line ends in a backslash'],
  ['npm ${x:-`rm`}', 'more than a plain variable'],
  ['npm ${x:=y}', 'more than a plain variable'],
  ['npm "${x@P}"', 'more than a plain variable'],
  ['npm $[1]', 'more than a plain variable'],
  ["npm $'a\\'; rm x; '", 'quotes after $'],
  ['(npm test)', 'parentheses'],
  ['npm() { rm; }', 'parentheses'],
  ['npm <(rm)', 'redirects'],
  ['npm > out', 'redirects'],
  ['npm >out', 'redirects'],
  ['npm 2>out', 'redirects'],
  ['npm >&out', 'redirects'],
  ['npm &>out', 'redirects'],
  ['npm >| out', 'redirects'],
  ['npm > /dev/nullx', 'redirects'],
  ['npm > /dev/null/../x', 'redirects'],
  ['npm < secrets', 'redirects'],
  ['npm <<END\nrm\nEND', 'redirects'],
  ["npm <</dev/null\nnpm '\n/dev/null\nrm x #'", 'redirects'],
  ['{ npm; }', 'it has {'],
  ['! npm', 'it has !'],
  ['if npm; then rm; fi', 'it has if'],
  ['for x in a; do rm; done', 'it has for'],
  ['while npm; do rm; done', 'it has while'],
  ['time rm', 'it has time'],
  ['$CMD test', 'its first word is expanded by the shell'],
  ['"$CMD" test', 'its first word is expanded by the shell'],
  ['np? test', 'its first word is expanded by the shell'],
  ['~/npm test', 'its first word is expanded by the shell'],
  ['npm "test', 'an unclosed "'],
  ["npm 'test", "an unclosed '"],
  ['npm test\\', 'ends in a backslash'],
  ['npm && ', 'nothing follows &&'],
  ['npm | ', 'nothing follows |'],
  ['; npm', 'nothing comes before ;'],
  ['npm && && npm', 'nothing comes before &&'],
  ['npm |& rm', 'it has |&'],
  ['npm ;; rm', 'it has ;;'],
  ['# npm', 'it runs nothing'],
])('%j is refused where programs are listed', (command, why) => {
  expect(refuseCommand(command, ['npm', 'node'])).toContain(why)
})

test('a test of the shell is a program like others', () => {
  expect(firstWords('[ -f x ] && npm test')).toEqual(['[', 'npm'])
})

test('no program is found missing where it cannot be told which one runs', () => {
  for (const command of ['CI=1 npm test', '$(which npm) test', '(npm test)', '', 'if true; then npm; fi']) {
    expect(firstWords(command)).toBeUndefined()
  }
})

test('a word that could harm a terminal is shown harmlessly', () => {
  expect(refuseCommand('\u001b]0;x', ['npm'])).toBe('"\\u001b]0" is not in verification.allow')
})

const shells = ['/bin/dash', '/bin/bash', '/bin/sh'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0)
const signs = '; && || | & ( ) $( ` " \' \\ $x ${x} ${ } { > < << >&1 2>&1 >/dev/null /dev/null # ! = x= $ [ - 1'
const pieces = [...'ok fine evil if then fi'.split(' '), ' ', '  ', '\n', ...signs.split(' ')]
const chains = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 12 }).map((all) => `ok ${all.join('')}`)

test('what is let through starts nothing but allowed programs and writes nothing, in any shell', () => {
  const bin = newFolder()
  const cwd = newFolder()
  const log = join(newFolder(), 'log')
  for (const name of ['ok', 'fine', 'evil']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> ${log}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const startedBy = (shell: string, command: string): string => {
    writeFileSync(log, '')
    spawnSync(shell, ['-c', command], { cwd, env: { PATH: bin, x: 'evil' }, input: '' })
    return readFileSync(log, 'utf8')
  }
  let letThrough = 0
  fc.assert(
    fc.property(chains, (command) => {
      if (refuseCommand(command, ['ok', 'fine']) !== undefined) return
      letThrough++
      for (const shell of shells) expect(startedBy(shell, command)).not.toContain('evil')
      expect(readdirSync(cwd)).toEqual([])
    }),
    { numRuns: isWhole ? 4000 : 800 },
  )
  expect(letThrough).toBeGreaterThan(20)
  for (const shell of shells) expect(startedBy(shell, 'ok "a" && evil')).toBe('ok\nevil\n')
})
