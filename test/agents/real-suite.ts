import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realAgents } from './agents.ts'
import type { AgentName } from './install.ts'
import type { Line, Options } from './real-place.ts'
import { newRealRun, type RealRun } from './real-run.ts'
import { type Turn, usageOf } from './turn.ts'

export type Subject = {
  /** What stands behind --agent. */
  readonly flag: string
  readonly name: AgentName
  /** What it must tell of the two calls that it makes. */
  readonly tokens: number
  readonly costUsd: number | null
  readonly limit: Pick<Options, 'turns' | 'env'> & { readonly decision: 'wait' | 'retry' }
  /** Something that a rule keeps it from doing; undefined where its output cannot tell. */
  readonly denied?: Pick<Options, 'turns' | 'env' | 'files'>
}

const success: Turn = { do: 'say', text: 'All done.\n<promise>SUCCESS</promise>' }

/** Creates made.txt, then keeps its promise. */
export const writes =
  (name: AgentName, file = 'made.txt'): Options['turns'] =>
  (work) => [{ do: 'call', say: 'I will create it.', tool: realAgents[name].write(work, file, 'made\n') }, success]

const tokensOf = (turn: number): number => usageOf(turn).input + usageOf(turn).output
export const [bothCalls, lastCall] = [tokensOf(0) + tokensOf(1), tokensOf(1)]

/** What a real agent must come to under the built program, whichever it is. */
export function realSuite({ flag, name, tokens, costUsd, limit, denied }: Subject): void {
  describe(flag, () => {
    async function completes(sandbox: 'auto' | 'off'): Promise<void> {
      const run = await newRealRun(name, flag, { turns: writes(name), sandbox })
      const { code, lines, err } = await run.start().ended
      expect([code, err]).toEqual([0, expect.any(String)])
      expect(lines.at(-1)?.result).toMatchObject({
        status: 'completed',
        reason: { code: 'promise_kept' },
        says: 'promise kept, gates green',
      })
      expect(readFileSync(join(run.work, 'made.txt'), 'utf8')).toBe('made\n')
      const cost = costUsd && expect.closeTo(costUsd, 6)
      expect(find(run, 'call', 'ok').context.usage).toMatchObject({ tokens, costUsd: cost })
      expect(find(run, 'execute', 'ok').context.data).toMatchObject({ changed: true, promise: 'SUCCESS' })
      expect(run.provider.calls()).toMatchObject({ model: 2, promptArrived: true })
      expect(run.processes()).toEqual([])
    }

    test('completes an iteration', () => completes('off'))
    test('completes an iteration in the sandbox, in a home where nothing is yet', () => completes('auto'))

    test('a usage limit is waited for and is no failure', async () => {
      const run = await newRealRun(name, flag, limit)
      const { child, ended } = run.start()
      await expect.poll(() => names(run), { timeout: 60_000 }).toContain(`decide/${limit.decision}`)
      expect(find(run, 'execute', 'unavailable').context.data).toMatchObject({ fault: 'limit' })
      expect(names(run)).not.toContain('verify/failed')
      child.kill('SIGTERM')
      expect((await ended).code).toBe(143)
    })

    test.runIf(denied)('what it was not allowed to do is counted', async () => {
      const run = await newRealRun(name, flag, denied!)
      await run.start().ended
      expect(find(run, 'execute', 'ok').context.data).toMatchObject({ denied: 1 })
    })

    test('kill -9 in the middle: nothing is left of it after a resume', async () => {
      const run = await newRealRun(name, flag, { turns: () => [{ do: 'hang' }] })
      const { child, ended } = run.start()
      await run.provider.asked
      child.kill('SIGKILL')
      await ended
      expect(run.processes()).not.toEqual([])
      await run.resume()
      expect(run.processes()).toEqual([])
      expect(names(run)).toContain('decide/interrupted')
    })
  })
}

const names = (run: RealRun): string[] => run.journal().map(({ phase, status }) => `${phase}/${status}`)

function find(run: RealRun, phase: string, status: string): Line {
  const line = run.journal().find((one) => one.phase === phase && one.status === status)
  if (!line) throw new Error(`no ${phase}/${status} in ${JSON.stringify(run.journal(), null, 1)}`)
  return line
}
