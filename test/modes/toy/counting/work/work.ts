import { join } from 'node:path'
import type { Work } from '../../../kernel/run.ts'
import type { Artifacts } from '../../../ports/artifacts.ts'
import type { Shell } from '../../../ports/shell.ts'
import type { CountingMemo, CountingRequest } from '../core/policy.ts'

type Tools = {
  readonly shell: Shell
  readonly content: Artifacts
  readonly workspace: string
  readonly folder: string
  environmentFor(): Record<string, string>
}

export const countingWork = (run: string, { command }: CountingRequest, tools: Tools): Work<CountingMemo> => ({
  attempt: async ({ task, attempt }, { memo }, signal) => {
    const counted = memo.counted + 1
    if (command !== null) {
      const log = join(tools.folder, 'attempts', `${task.id}-${attempt}.log`)
      const env = { ...tools.environmentFor(), NUMBER: String(counted) }
      const argv = ['/bin/sh', '-c', command] as const
      const exit = await tools.shell.run({ argv, cwd: tools.workspace, env, log, scope: run }, signal)
      if (exit.code !== 0) return { status: 'failed', detail: `the command ended with ${exit.code}` }
    }
    const output = await tools.content.put('number.txt', String(counted))
    return { status: 'ok', data: { counted }, ...(output && { output }) }
  },
  evaluate: async () => ({ status: 'passed' }),
})
