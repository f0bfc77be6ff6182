import { beforeEach } from 'vitest'
import { isWhole } from './sample.ts'

/** Runs in every test file. `npm test` runs the first test of a slow file, `npm run test:slow` all of them. */
if (!isWhole) {
  let first: string | undefined
  beforeEach(({ task, skip }) => {
    if (!task.file.name.endsWith('.slow.test.ts')) return
    first ??= task.id
    if (task.id !== first) skip('slow: npm run test:slow')
  })
}
