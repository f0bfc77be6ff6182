import { expect, test } from 'vitest'
import { describeTouched } from '../../../../../src/modes/delivery/core/evidence/findings.ts'

test('people learn what a story touched of its checks; new tests are not worth a word', () => {
  const found = describeTouched(
    [
      { path: 'a.test.js', status: 'modified', role: 'test', before: "test('a')\n", after: "test.skip('a')\n" },
      { path: 'b.test.js', status: 'deleted', role: 'test', before: 'x', after: undefined },
      { path: 'c.test.js', status: 'added', role: 'test', before: undefined, after: 'x' },
      { path: 'Makefile', status: 'modified', role: 'script', before: 'test:\n', after: 'test:\n\trun || true\n' },
      { path: 'vitest.config.js', status: 'added', role: 'settings', before: undefined, after: '' },
    ],
    { file_focus: [], text: 'Change `Makefile`.' },
  )
  expect(found.map(({ kind, path, says, expected }) => `${kind} ${path} ${says} ${expected}`)).toEqual([
    "test-skipped a.test.js `test.skip('a')` was added false",
    'test-deleted b.test.js it was deleted false',
    'script-changed Makefile `run || true` was added true',
    'config-changed vitest.config.js it was added false',
  ])
})
