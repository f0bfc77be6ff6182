import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readResult } from '../../../../src/modes/delivery/start/input/read-result.ts'
import { fileWith, goodResult, newFolder, withValue } from './contract-files.ts'

const text = JSON.stringify(goodResult)

test('a result that is whole comes back as it was', () => {
  expect(readResult(fileWith(text))).toEqual(goodResult)
  expect(readResult(fileWith(text), 'run_1')).toEqual(goodResult)
})

test('what later versions add is passed over', () => {
  expect(readResult(fileWith(JSON.stringify({ ...goodResult, mood: 'fine' })))).toEqual(goodResult)
})

test('a result of another run is none of ours', () => {
  expect(readResult(fileWith(text), 'run_2')).toBeUndefined()
})

test('half of a result, cut at any byte, is as good as none', () => {
  for (let length = 0; length < text.length; length += 7) {
    expect(readResult(fileWith(text.slice(0, length)))).toBeUndefined()
  }
})

test.each<[string, string | Uint8Array]>([
  ['nothing', ''],
  ['spaces', ' \n'],
  ['null', 'null'],
  ['a list', '[]'],
  ['another object', '{"seq":4}'],
  ['two of them', text + text],
  ['a byte that is no text', Buffer.concat([Buffer.from(text), Uint8Array.of(0xff)])],
  ['lists nested without end', '['.repeat(100_000)],
  ['a million stories that are none', text.replace('"stories":[', `"stories":[${'{},'.repeat(1e6)}`)],
  ['more than 16 MiB', text + ' '.repeat(16 * 1024 * 1024)],
  ['version 2', JSON.stringify(withValue(goodResult, ['contract_version'], 2))],
  ['no version', JSON.stringify(withValue(goodResult, ['contract_version'], undefined))],
  ['a status that is none', JSON.stringify(withValue(goodResult, ['status'], 'done'))],
  ['a reason that is none', JSON.stringify(withValue(goodResult, ['reason'], 'bad luck'))],
  ['a story without a status', JSON.stringify(withValue(goodResult, ['stories', 0, 'status'], undefined))],
  ['a count that is text', JSON.stringify(withValue(goodResult, ['summary', 'failed'], '1'))],
  ['a result of a procedure', '{"contract_version":1,"run_id":"run_1","seq":3,"status":"completed","exit":0}'],
])('%s in place of a result is as good as none', (_, content) => {
  expect(readResult(fileWith(content))).toBeUndefined()
})

test('nothing that is no plain file is taken for a result or waited for', () => {
  const folder = newFolder()
  const at = (name: string): string => join(folder, name)
  mkdirSync(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync(fileWith(text), at('link'))
  symlinkSync('loop', at('loop'))
  for (const name of ['missing', 'folder', 'pipe', 'link', 'loop', 'a\0b']) {
    expect(readResult(at(name)), name).toBeUndefined()
  }
})
