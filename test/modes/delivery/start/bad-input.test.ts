import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readPlan } from '../../../../src/modes/delivery/start/execute.ts'
import { readRunInput } from '../../../../src/modes/delivery/start/input/read-input.ts'
import { fileWith, goodInput, goodPlan, newFolder, refusalOf, refusalOfFile } from './contract-files.ts'

const boundaries = [
  { name: 'run input', good: goodInput as object, read: readRunInput as (path: string) => unknown, mebibytes: 1 },
  { name: 'plan', good: goodPlan as object, read: readPlan as (path: string) => unknown, mebibytes: 16 },
]

/** Texts that no contract file can be, made from one that is good. The pattern is what the line must say. */
const badTexts: readonly [shape: string, text: (good: string) => string | Uint8Array, says: RegExp][] = [
  ['nothing', () => '', /: empty, found nothing/],
  ['spaces', () => '   ', /: empty/],
  ['line ends', () => '\r\n\r\n\t\n', /: empty/],
  ['a byte order mark alone', () => '\ufeff', /: empty/],
  ['two byte order marks', (good) => `\ufeff\ufeff${good}`, /json:1:1: not JSON, found \\ufeff/],
  ['null', () => 'null', /found null, allowed: an object/],
  ['true', () => 'true', /found true, allowed: an object/],
  ['a number', () => '42', /found 42, allowed: an object/],
  ['text', () => '"plan"', /found "plan", allowed: an object/],
  ['a list', (good) => `[${good}]`, /found a list of 1, allowed: an object/],
  ['an empty list', () => '[]', /found an empty list, allowed: an object/],
  ['an empty object', () => '{}', / \/contract_version: missing, found nothing, allowed: 1\./],
  ['NaN', () => 'NaN', /json:1:1: not JSON, found NaN/],
  ['Infinity', () => '{"a":Infinity}', /json:1:6 \/a: not JSON, found Infinity/],
  ['undefined', () => 'undefine', /not JSON, found undefine/],
  ['a hexadecimal number', () => '{"a":0x1f}', /found 0x1f, allowed: a value/],
  ['a leading zero', () => '{"a":007}', /found 007/],
  ['a plus sign', () => '{"a":+1}', /found \+1/],
  ['a number cut short', () => '{"a":1.}', /found 1\./],
  ['a minus alone', () => '{"a":-}', /found -, /],
  ['two values', (good) => `${good} {}`, /found \{, allowed: nothing after the end/],
  ['garbage behind it', (good) => `${good}\nxyz`, /json:\d+:1: not JSON, found xyz/],
  ['a comment', (good) => `// mine\n${good}`, /json:1:1: not JSON, found \//],
  ['a block comment behind it', (good) => `${good}/* mine */`, /not JSON, found \//],
  ['a comma at the end of an object', (good) => good.replace(/\}$/, ',}'), /found \}, allowed: a key in double quotes/],
  ['a comma at the end of a list', () => '{"a":[1,2,]}', /json:1:11 \/a\/2: not JSON, found \], allowed: a value/],
  ['a missing comma', () => '{"a":1 "b":2}', /found ", allowed: "," or "\}"/],
  ['a missing colon', () => '{"a" 1}', /found 1, allowed: ":"/],
  ['a wrong bracket', () => '{"a":[1}', /json:1:8 \/a\/0: not JSON, found \}, allowed: "," or "\]"/],
  ['single quotes', () => "{'a':1}", /found ', allowed: a key in double quotes/],
  ['a key without quotes', () => '{a:1}', /found a, allowed: a key/],
  ['a line end in text', () => '{"a":"x\ny"}', /allowed: text in double quotes/],
  ['an escape that is none', () => '{"a":"\\x41"}', /allowed: text in double quotes/],
  ['cut in the middle', (good) => good.slice(0, good.length / 2), /not JSON/],
  ['cut before its end', (good) => good.slice(0, -1), /found the end of the text, allowed: "," or "\}"/],
  ['cut after its first letter', () => '{', /json:1:2: not JSON, found the end of the text/],
  ['YAML', () => 'contract_version: 1\n', /json:1:1: not JSON, found contract_version/],
  ['a web page', () => '<!doctype html>', /found </],
  ['lists nested 10,000 deep', () => '['.repeat(10_000), /nested too deeply, found more than 64 levels/],
  ['objects nested 10,000 deep', () => '{"a":'.repeat(10_000), /nested too deeply/],
  ['nested 10,000 deep and closed', () => `${'['.repeat(10_000)}${']'.repeat(10_000)}`, /nested too deeply/],
  ['a duplicate key', (good) => good.replace('{', '{"contract_version":1,'), /\/contract_version: duplicate key/],
  ['a duplicate key, once escaped', () => '{"a":1,"\\u0061":2}', /json:1:8 \/a: duplicate key, found "a"/],
  ['a duplicate key further in', () => '{"a":[{"b":1},{"b":{"c":1,"c":2}}]}', / \/a\/1\/b\/c: duplicate key/],
  ['__proto__', (good) => good.replace('{', '{"__proto__":{},'), / \/__proto__: unknown key/],
  ['__proto__ further in', () => '{"a":{"__proto__":[]}}', / \/a\/__proto__: unknown key/],
  ['__proto__ in escapes', () => '{"\\u005f_proto__":1}', / \/__proto__: unknown key/],
  ['constructor', (good) => good.replace('{', '{"constructor":{"prototype":{}},'), / \/constructor: unknown key/],
  ['NUL as it is', () => '{"a":"\0"}', /allowed: text in double quotes/],
  ['NUL between', (good) => `\0${good}`, /json:1:1: not JSON, found \\u0000/],
  ['NUL in an escape', () => '{"a":"\\u0000"}', / \/a: unreadable text, found "\\u0000", allowed: Unicode text/],
  ['NUL in a key', () => '{"\\u0000":1}', /unreadable key/],
  ['half of a surrogate pair', () => '{"a":["\\ud83d"]}', / \/a\/0: unreadable text/],
  ['directions changed', () => '{"a":1}\u202e', /found \\u202e/],
  ['an escape sequence of terminals', () => '\u001b[2J', /found \\u001b/],
  [
    'bytes that are not UTF-8',
    () => Uint8Array.of(0x7b, 0xff, 0xfe),
    /json:1:1: cannot be read, found bytes that are not/,
  ],
  ['an overlong encoding', () => Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), /not UTF-8/],
  ['a surrogate in UTF-8', () => Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), /not UTF-8/],
  ['UTF-16', (good) => Buffer.from(`\ufeff${good}`, 'utf16le'), /not UTF-8/],
  ['broken UTF-8 further down', (good) => Buffer.concat([Buffer.from(`${good}\n\n`), Uint8Array.of(0x80)]), /json:3:1/],
  ['gzip', () => Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0), /not UTF-8/],
  ['60,000 keys', () => `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":0`).join()}}`, /missing|unknown key/],
  ['version 2', (good) => good.replace('_version":1', '_version":2'), /\/contract_version: unsupported version/],
  ['version 1e309', (good) => good.replace('_version":1', '_version":1e309'), /\/contract_version: .*found Infinity/],
  ['version 0', (good) => good.replace('_version":1', '_version":0'), /found 0, allowed: 1\./],
  ['version -1', (good) => good.replace('_version":1', '_version":-1'), /found -1, allowed: 1\./],
  ['version "1"', (good) => good.replace('_version":1', '_version":"1"'), /found "1", allowed: 1\./],
  ['version null', (good) => good.replace('_version":1', '_version":null'), /found null, allowed: 1\./],
  ['version 1.5', (good) => good.replace('_version":1', '_version":1.5'), /found 1.5/],
  ['no version', (good) => good.replace('"contract_version":1,', ''), /\/contract_version: missing/],
]

describe.each(boundaries)('every $name', ({ good, read, mebibytes }) => {
  test.each(badTexts)('is refused: %s', (_, text, says) => {
    const refusal = refusalOfFile(fileWith(text(JSON.stringify(good))), read)
    expect(refusal.message).toMatch(says)
  })

  test('may have a byte order mark, CRLF and any spacing', () => {
    const spaced = JSON.stringify(good, null, 2).replaceAll('\n', '\r\n')
    expect(() => read(fileWith(`\ufeff${spaced}\r\n`))).not.toThrow()
    expect(() => read(fileWith(JSON.stringify(good, null, '\t')))).not.toThrow()
  })

  test('is refused when it is larger than allowed, before anything else is looked at', () => {
    const refusal = refusalOfFile(fileWith(Buffer.alloc(mebibytes * 1024 * 1024 + 1, 'x')), read)
    expect(refusal.message).toContain(`found more than ${mebibytes} MiB, allowed: a text file in UTF-8 of at most`)
    expect(refusal.pointer).toBeUndefined()
  })

  test('says so when it is not there', () => {
    const folder = newFolder()
    expect(refusalOf(() => read(join(folder, 'no.json'))).message).toMatch(
      /no\.json: cannot be read, found no such file/,
    )
    expect(refusalOf(() => read('')).message).toMatch(/^"": cannot be read/)
    expect(refusalOf(() => read(join(fileWith('{}'), 'below'))).message).toMatch(/no such file/)
    expect(refusalOf(() => read(`${folder}/a\0b`)).message).toMatch(/a path with NUL/)
    expect(refusalOf(() => read(join(folder, 'n'.repeat(5000)))).message).toMatch(/cannot be opened \(ENAMETOOLONG\)/)
    expect(refusalOf(() => read(`${folder}/\u001b[2J\n.json`)).message).toMatch(/\\u001b\[2J/)
  })

  test('is never a folder, a pipe, a device or a loop of links, and none of them holds us up', () => {
    const folder = newFolder()
    const at = (name: string): string => join(folder, name)
    mkdirSync(at('folder'))
    execFileSync('mkfifo', [at('pipe')])
    symlinkSync('loop', at('loop'))
    symlinkSync('nowhere', at('dangling'))
    symlinkSync('pipe', at('to-pipe'))
    const says = (path: string): string => refusalOfFile(path, read).message
    expect(says(at('folder'))).toMatch(/found a directory/)
    expect(says(at('pipe'))).toMatch(/found a pipe, socket or device/)
    expect(says(at('to-pipe'))).toMatch(/found a pipe, socket or device/)
    expect(says(at('loop'))).toMatch(/cannot be opened \(ELOOP\)/)
    expect(says(at('dangling'))).toMatch(/no such file/)
    expect(refusalOf(() => read('/dev/null')).message).toMatch(/a pipe, socket or device/)
    expect(refusalOf(() => read('/dev/zero')).message).toMatch(/a pipe, socket or device/)
  })

  test('is never a socket', async () => {
    const path = join(newFolder(), 'socket')
    const server = createServer().listen(path)
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    expect(refusalOf(() => read(path)).message).toMatch(/cannot be opened \(ENXIO\)/)
  })

  test('may lie behind a link', () => {
    const path = fileWith(JSON.stringify(good))
    symlinkSync(path, join(path, '../link'))
    expect(() => read(join(path, '../link'))).not.toThrow()
  })
})
