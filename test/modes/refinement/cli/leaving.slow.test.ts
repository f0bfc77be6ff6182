import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { FaultName } from '../../../support/model-faults.ts'
import { stage } from './stage.ts'

const library = fileURLToPath(new URL('../../../../dist/index.js', import.meta.url))

/** A program that refines once, says how it went and has nothing more to do. */
const program = `
process.on('unhandledRejection', (error) => { console.log('unhandled', error); process.exitCode = 9 })
const { adaptiveIterate } = await import(${JSON.stringify(library)})
const refined = await adaptiveIterate('Refine PRD', {
  ladder: ['ollama'],
  config: { silenceMs: 200, backOffMs: [1, 1], stepLimits: { decomposeMs: 400, generateMs: 400, judgeMs: 400, pruneMs: 200 } },
})
console.log(refined.reason)
process.on('exit', () => console.log(performance.now() - told))
const told = performance.now()
`

const faults: readonly FaultName[] = [
  'error',
  'reset',
  'stall',
  'stall-after-headers',
  'stall-amid',
  'trickle',
  'cut',
  'held-open',
  'endless',
]

test.each(faults)(
  'after a server that does %s the process ends by itself, at once, with nothing left open',
  async (fault) => {
    const { server, env } = await stage({
      beats: [],
      instead: (_, role) => (role === 'write' ? { fault, everyMs: 20, text: 'It begins' } : undefined),
    })
    const { code, lines } = await runProgram({ OLLAMA_HOST: env.OLLAMA_HOST! })
    expect([code, lines.length], lines.join('\n')).toEqual([0, 2])
    expect(lines[0]).toMatch(/^(provider_unavailable|token_budget|threshold_met)$/)
    expect(Number(lines[1])).toBeLessThan(1000)
    await expect.poll(() => server.connections()).toBe(0)
  },
)

function runProgram(env: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: process.env.PATH!, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (data: Buffer) => (out += data.toString()))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, lines: out.trim().split('\n') })))
}
