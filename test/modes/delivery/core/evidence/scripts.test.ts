import { expect, test } from 'vitest'
import { isAskedFor, pickScripts } from '../../../../../src/modes/delivery/core/evidence/scripts.ts'

test('scripts that commands run, and those that these run', () => {
  const manifest = JSON.stringify({
    name: 'a',
    scripts: {
      test: 'npm run lint && run-s "unit:*"',
      lint: 'eslint "src/"',
      'unit:a': 'mocha',
      pretest: 'tsc',
      start: 'node index.js',
    },
  })
  const all = ['eslint "src/"', 'mocha', 'npm run lint && run-s "unit:*"', 'tsc']
  for (const command of ['npm test', 'npm t', 'turbo run test --all'])
    expect([...pickScripts([manifest], [command])].toSorted()).toEqual(all)
  expect(pickScripts([manifest], ['mocha'])).toEqual([])
  for (const text of ['no JSON', '[]', '{"scripts":[1]}', '{"scripts":{"test":{}}}'])
    expect(pickScripts([text], ['npm test'])).toEqual([])
})

const scripts =
  '{ "scripts": { "test": "tape \\"test/*.test.js\\" test/more/", "types": "tsd types", "all": "mocha" } }'
const paths = ['test/a.test.js', 'test/more/b.js', 'test/c.js', 'types/d.test-d.ts']

test.each<[string, readonly string[]]>([
  ['npm test', ['test/a.test.js', 'test/more/b.js']],
  ['npm run types', ['types/d.test-d.ts']],
  ['npx tape "test/*.js"', ['test/a.test.js', 'test/c.js']],
  ['mocha ./test', ['test/a.test.js', 'test/more/b.js', 'test/c.js']],
  ['node test/c.js', ['test/c.js']],
  ['make all', []],
  ['npm run all', []],
  ['node --test', []],
])('%s names %j', (command, named) => {
  expect(paths.filter((path) => isAskedFor(path, [command], pickScripts([scripts], [command])))).toEqual(named)
})
