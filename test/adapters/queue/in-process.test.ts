import { describe, test } from 'vitest'
import { createQueue } from '../../../src/adapters/queue/in-process.ts'
import { queueSuite } from '../../../src/testing/queue-suite.ts'

describe('the contract of a queue', () => {
  const suite = queueSuite(async () => {
    const queue = createQueue()
    return { open: async () => queue, prepare: async () => {} }
  })
  for (const { name, check } of suite) test(name, check)
})
