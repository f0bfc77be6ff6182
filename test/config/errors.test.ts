import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { machine } from './fixture.ts'

const file = '.pawl/config.yml'

test('an unknown key: one line with place, key, what was found, what is allowed, the nearest and what to do', async () => {
  const here = await machine({ workspace: '# x\ndefault_iterations: 1\nfailure_treshold: 5\n' })
  const error = await here.refusal()
  expect(error).toMatchObject({ file, line: 3, column: 1, key: 'failure_treshold', found: 'failure_treshold' })
  expect(error.nearest).toBe('failure_threshold')
  expect(error.message).toMatch(
    /^\.pawl\/config\.yml:3:1 failure_treshold: unknown key, found failure_treshold, allowed: \$schema, default_iterations, .*procedures\. Did you mean failure_threshold\? Rename or remove it\.$/,
  )
})

test.each([
  ['failure_threshold: three', 1, 20, 'failure_threshold', 'three', 'a whole number, 1 or more'],
  ['failure_threshold: 0', 1, 20, 'failure_threshold', '0', 'a whole number, 1 or more'],
  ['failure_threshold: 1.5', 1, 20, 'failure_threshold', '1.5', 'a whole number, 1 or more'],
  ['failure_threshold: .nan', 1, 20, 'failure_threshold', '.nan', 'a whole number, 1 or more'],
  ['default_iterations: -1', 1, 21, 'default_iterations', '-1', 'a whole number, 0 for unlimited'],
  ['default_iterations: .inf', 1, 21, 'default_iterations', '.inf', 'a whole number, 0 for unlimited'],
  ['default_iterations: 1e309', 1, 21, 'default_iterations', '1e309', 'a whole number, 0 for unlimited'],
  ['default_iterations: 9007199254740993', 1, 21, 'default_iterations', '9007199254740993', 'a whole number'],
  ['default_iterations: "3"', 1, 21, 'default_iterations', '"3"', 'a whole number, 0 for unlimited'],
  ['max_cost: 1e309', 1, 11, 'max_cost', '1e309', 'a number of US dollars, more than 0'],
  ['max_cost: .nan', 1, 11, 'max_cost', '.nan', 'a number of US dollars, more than 0'],
  ['max_time: .inf', 1, 11, 'max_time', '.inf', 'a duration such as 90s'],
  ['max_time: 3 hours', 1, 11, 'max_time', '3 hours', 'a duration such as 90s'],
  ['max_time: [3h]', 1, 11, 'max_time', '[3h]', 'a duration such as 90s'],
  ['sandbox: yes', 1, 10, 'sandbox', 'yes', 'auto, required or off'],
  ['gates: npm test', 1, 8, 'gates', 'npm test', 'a list of commands'],
  ['gates:\n  - ok\n  - 5\n', 3, 5, 'gates.1', '5', 'a command: text'],
  ['gates: [""]\n', 1, 9, 'gates.0', '""', 'a command: text'],
  ['gates:\n', 1, 1, 'gates', 'nothing', 'a list of commands'],
  ['env: [A, "B C"]', 1, 10, 'env.1', '"B C"', 'a variable name, or a prefix'],
  [
    'procedures:\n  build:\n    until: done\n',
    3,
    12,
    'procedures.build.until',
    'done',
    'never, gates or promise+gates',
  ],
  ['procedures:\n  build:\n    act: { a: 1 }\n', 3, 10, 'procedures.build.act', '{ a: 1 }', 'a text, a file name'],
  ['procedures:\n  build: 5\n', 2, 10, 'procedures.build', '5', 'a map of keys'],
  ['procedures:\n  Build: {}\n', 2, 3, 'procedures.Build', 'Build', 'a name of a-z, 0-9 and -'],
  ['procedures: [build]\n', 1, 13, 'procedures', '[build]', 'a map of procedure names'],
  ['- a\n- b\n', 1, 1, '', '- a - b', 'a map of keys'],
  ['just text', 1, 1, '', 'just text', 'a map of keys'],
  ['procedures:\n  build:\n    sandbox: off\n', 3, 5, 'procedures.build.sandbox', 'sandbox', 'observe, orient'],
  ['until: gates\n', 1, 1, 'until', 'until', '$schema, default_iterations'],
  ['base_url: http://evil\n', 1, 1, 'base_url', 'base_url', '$schema'],
  ['<<: { gates: [a] }\n', 1, 1, '<<', '<<', '$schema'],
  ['__proto__: { gates: [a] }\n', 1, 1, '__proto__', '__proto__', 'any other name'],
])('%j is refused at %i:%i', async (text, line, column, key, found, allowed) => {
  for (const workspace of [text, text.replaceAll('\n', '\r\n'), `\ufeff${text}`]) {
    const error = await (await machine({ workspace })).refusal()
    expect(error).toMatchObject({ file, line, column, key, found })
    expect(error.allowed).toContain(allowed)
    expect(error.problems).toHaveLength(1)
    expect(error.message).toContain(`${file}:${line}:${column}`)
  }
})

test.each([
  ['gates: [a\nfailure_threshold: 3\n', 2, 1, 'invalid YAML'],
  ['a:\n\tb: 1\n', 2, 1, 'invalid YAML'],
  ['gates: ["a]\n', 2, 1, 'invalid YAML'],
  ['gates: []\n---\ngates: []\n', 2, 1, 'invalid YAML'],
  ['? [a]\n: b\n', 1, 3, 'invalid YAML'],
  ['gates: [a]\nmax_cost: 1\ngates: [b]\n', 3, 1, 'duplicate key'],
  ['procedures:\n  a:\n    max_cost: 1\n    max_cost: 2\n', 4, 5, 'duplicate key'],
  ['# x\nai_cmd: !env KEY\n', 2, 14, 'YAML tag not allowed'],
  ['ai_cmd: !!js/function "x"\n', 1, 23, 'YAML tag not allowed'],
  ['ai_cmd: !!binary aGk=\n', 1, 18, 'YAML tag not allowed'],
  ['context:\n  - x\n  - *nowhere\n', 3, 5, 'cannot resolve an alias'],
])('%j is refused at %i:%i: %s', async (workspace, line, column, what) => {
  const error = await (await machine({ workspace })).refusal()
  expect(error).toMatchObject({ file, line, column })
  expect(error.problems[0]?.what).toBe(what)
})

test('each duplicate names the line of the first one', async () => {
  const { problems } = await (
    await machine({ workspace: 'procedures:\n  a: {}\n  b: {}\n  a: {}\n  a: {}\n' })
  ).refusal()
  const allowed = 'each key once; it is already set on line 2'
  expect(problems).toMatchObject([
    { key: 'procedures.a', line: 4, allowed },
    { key: 'procedures.a', line: 5, allowed },
  ])
})

test('the problems of both files, the environment and the flags are all listed', async () => {
  const here = await machine({
    user: 'gatez: []\n',
    workspace: 'max_cost: free\nprocedures:\n  build:\n    acct: x\nmax_cost: 1\nsandbox: off\n',
  })
  const error = await here.refusal({ env: { PAWL_FAILURE_THRESHOLD: 'x' }, flags: { maxTime: 'soon' } })
  expect(error.problems.map(({ file: where, line, key }) => `${where}:${line} ${key}`)).toEqual([
    `${here.userFile}:1 gatez`,
    `${file}:5 max_cost`,
    `${file}:4 procedures.build.acct`,
    `${file}:6 sandbox`,
    'PAWL_FAILURE_THRESHOLD:null failure_threshold',
    '--max-time:null ',
  ])
  expect(error.message.split('\n')).toHaveLength(6)
  expect(error).toMatchObject({ file: here.userFile, nearest: 'gates' })
})

test('a file with thousands of errors gives twenty lines and a count', async () => {
  const workspace = Array.from({ length: 3000 }, (_, index) => `key${index}: 1\n`).join('')
  const error = await (await machine({ workspace })).refusal()
  expect(error.problems).toHaveLength(3000)
  expect(error.message.split('\n')).toHaveLength(21)
  expect(error.message).toMatch(/\nand 2980 more$/)
})

test('text of a hostile file reaches the message without control characters', async () => {
  const here = await machine({ workspace: '"\\e[2Jevil\\u202e\\r\\nkey": 1\nagent: "\\x1b]0;t\\a"\n' })
  const { message } = await here.refusal()
  expect([...message].filter((letter) => letter !== '\n' && /[\p{Cc}\u202e]/u.test(letter))).toEqual([])
  expect(message.split('\n')).toHaveLength(2)
})

test.each(['', '   \n', '# only a comment\n', '---\n', '~\n', '\ufeff', '\r\n'])(
  '%j is as good as no file',
  async (workspace) => {
    expect((await (await machine({ workspace })).load()).claims).toEqual([])
  },
)

test('a file over 1 MiB is refused, one of exactly 1 MiB is read', async () => {
  const comment = (bytes: number) => `${'#'.repeat(bytes - 1)}\n`
  expect(await (await machine({ workspace: comment(1024 * 1024 + 1) })).refusal()).toMatchObject({
    file,
    line: null,
    found: 'more than 1 MiB',
  })
  expect((await (await machine({ workspace: comment(1024 * 1024) })).load()).claims).toEqual([])
})

test('a directory, a FIFO, a device or a symlink loop is refused at once', async () => {
  const places: [string, (path: string) => Promise<unknown>][] = [
    ['a directory', (path) => mkdir(path)],
    ['a pipe, socket or device', (path) => promisify(execFile)('mkfifo', [path])],
    ['a pipe, socket or device', (path) => symlink('/dev/zero', path)],
    ['a file that cannot be opened (ELOOP)', (path) => symlink('config.yml', path)],
  ]
  for (const [found, place] of places) {
    const here = await machine()
    await mkdir(join(here.workspace, '.pawl'))
    await place(join(here.workspace, file))
    const error = await here.refusal()
    expect(error).toMatchObject({ file, line: null, column: null, found })
    expect(error.message).toBe(
      `${file}: cannot be read, found ${found}, allowed: a readable text file in UTF-8 of at most 1 MiB. Replace it with a text file, or remove it.`,
    )
  }
})

test('a home that is not a folder means no user file', async () => {
  expect((await (await machine()).load({ home: '/dev/null' })).claims).toEqual([])
})

test.each([
  [Buffer.from([0x61, 0x3a, 0x20, 0xff, 0x0a]), 1],
  [Buffer.concat([Buffer.from('# ü\r\n\r\nai_cmd: '), Buffer.from([0xc3, 0x28])]), 3],
  [Buffer.from('gates: []\n', 'utf16le').fill(0xfe, 0, 1), 1],
])('bytes that are not UTF-8 are refused with their line', async (workspace, line) => {
  const error = await (await machine({ workspace })).refusal()
  expect(error).toMatchObject({ file, line, column: 1, found: 'bytes that are not UTF-8' })
})
