import { z } from 'zod'
import { noLock } from '../../../ports/locks.ts'
import { defineStart } from '../../../run/mode.ts'
import { createRunId, formatRequest } from '../../../run/new-run.ts'
import { CountingRequest } from '../core/policy.ts'

/** Begins to count. */
export const count = defineStart({
  options: z.object({ to: z.coerce.number(), command: z.string().nullable().default(null) }),
  startsAgents: true,
  async start({ environment: { cwd: workspace, program }, store }, options) {
    const id = createRunId(new Date())
    const entry = { id, mode: 'counting', name: 'count', workspace, created: new Date().toISOString() }
    const request = formatRequest({
      contract_version: 2,
      run_id: id,
      mode: entry.mode,
      name: entry.name,
      workspace,
      created: entry.created,
      invoked_as: program,
      durability: 'strict',
      sandbox: 'off',
      env: [],
      secrets: [],
      caps: { interruptionsInARow: 20 },
      origins: {},
      with: CountingRequest.parse(options),
    })
    const run = await store.create({ entry, freeze: async () => ({ request }), listed: true })
    return { is: 'started', run, lock: noLock }
  },
})
