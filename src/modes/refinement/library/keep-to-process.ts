import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Keys } from '../../../ports/keys.ts'
import type { Machine } from '../../../run/machine.ts'

/** The same machine without what a person keeps on it: keys and shared knowledge of this process alone, no repository that is looked at. */
export const keepToProcess = (machine: Machine): Machine => ({
  ...machine,
  keys: () => keys,
  shared: createShared(),
  git: {
    ...machine.git,
    openRepository: (folder) => ({ ...machine.git.openRepository(folder), look: async () => undefined }),
  },
})

const secret = randomBytes(32)
const keys: Keys = {
  content: { secret, restore: 'The key of a run in memory ends with its process.' },
  markOf: (text) => createHash('sha256').update(text).digest('hex').slice(0, 16),
  pseudonymOf: (text) => createHmac('sha256', secret).update(text).digest('hex'),
}

function createShared(): Machine['shared'] {
  const known = new Map<string, unknown>()
  return {
    get: async (kind, id) => known.get(`${kind}/${id}`),
    put: async (kind, id, value) => void known.set(`${kind}/${id}`, value),
  }
}
