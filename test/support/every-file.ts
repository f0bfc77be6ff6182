import { afterAll, beforeEach } from 'vitest'
import { cleanups } from './cleanups.ts'
import { isWhole } from './sample.ts'

// Runs in every test file.

afterAll(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** `npm test` runs the first test of a slow file, `npm run test:slow` all of them. */
if (!isWhole) {
  let first: string | undefined
  beforeEach(({ task, skip }) => {
    if (!task.file.name.endsWith('.slow.test.ts')) return
    first ??= task.id
    if (task.id !== first) skip('slow: npm run test:slow')
  })
}
