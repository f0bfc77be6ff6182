import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ServedAnswer } from '../../../support/model-server.ts'
import { until } from '../../../surfaces/cli/pawl.ts'
import { sapLines } from './sap-lines.ts'
import type { Role } from './stage.ts'
import { refineWorkspace } from './workspace.ts'

/** Rate limits and bounds of `pawl refine`, at the terminal. */

const sap = ['--preset', 'sap-0010']
const limited = (seconds: number): ServedAnswer => ({ fault: 'limit', headers: { 'retry-after': String(seconds) } })
const once = (answer: ServedAnswer, when: Role) => {
  let left = 1
  return (_: unknown, role: Role): ServedAnswer | undefined => (role === when && left-- > 0 ? answer : undefined)
}

describe('a rate limit', () => {
  test('that lasts longer than a run may wait ends it at once as transient, and says so', async () => {
    const { refine, staged, workspace } = await refineWorkspace({ beats: [], instead: once(limited(3600), 'write') })
    const { code, out, err } = await refine('Refine PRD', ...sap)
    expect([code, out], err).toEqual([20, ''])
    expect(err).toMatch(/Reason: .*wait/)
    expect(staged.calls('write')).toHaveLength(1)
    expect(sapLines(workspace).at(-1)).toMatchObject({ event: 'abort' })
  })

  test('of a second is waited for, and the run goes on', async () => {
    const { refine, staged } = await refineWorkspace({ beats: [], instead: once(limited(1), 'write') })
    const { code, err } = await refine('Refine PRD', ...sap)
    expect(code, err).toBe(0)
    expect(err).toMatch(/Waiting 1.*skip with: pawl resume refine --now/)
    expect(staged.calls('write')).toHaveLength(4)
  })

  test('is left by Ctrl-C, and gone past by resume --now', async () => {
    const { refine, run, staged, names } = await refineWorkspace({ beats: [], instead: once(limited(300), 'write') })
    const going = refine('Refine PRD', ...sap)
    await until(() => going.said().includes('Waiting'), 'a wait')
    going.child.kill('SIGINT')
    expect((await going).code).toBe(130)
    expect(staged.calls('write')).toHaveLength(1)
    const resumed = await run('resume', '--now')
    expect(resumed.code, resumed.err).toBe(0)
    expect(staged.calls('write')).toHaveLength(4)
    expect(names().at(-1)).toBe('run/completed')
  })

  test('that says "come back now" for ever is not asked for ever', async () => {
    const { refine, staged } = await refineWorkspace({
      beats: [],
      instead: (_, role) => (role === 'plan' ? limited(0) : undefined),
    })
    const going = refine('Refine PRD', ...sap)
    // 150, 300 and 600 ms lie between the first four calls: whoever sees the fourth has seen them.
    const began = performance.now()
    await until(() => staged.calls('plan').length >= 4, 'four calls')
    expect(performance.now() - began).toBeGreaterThan(1000)
    going.child.kill('SIGINT')
    expect((await going).code).toBe(130)
  })
})

describe('a bound', () => {
  const prices = (context = 8000): string =>
    `ladder:\n  - {id: grok, price: {input: 1000, output: 1000}, context: ${context}}\n`

  test('on money is kept: a call that could not be paid is not made', async () => {
    const { refine, staged } = await refineWorkspace({ beats: [] }, {}, prices())
    const { code, err } = await refine('Refine PRD', ...sap, '--max-cost', '0.01')
    expect(code, err).toBe(30)
    expect(err).toMatch(/\$0\.0100 are left/)
    expect(staged.server.calls).toHaveLength(0)
  })

  test('on tokens below the prompt sends nothing', async () => {
    const { refine, staged } = await refineWorkspace({ beats: [] })
    const { code, err } = await refine('Refine PRD', '--preset', 'sap-0020', '--max-tokens', '60')
    expect(code, err).toBe(30)
    expect(staged.calls('write')).toHaveLength(0)
    expect(err).toMatch(/it needs \d+ tokens, but 60 are left/)
  })

  test('on time ends it with what there is', async () => {
    const { refine } = await refineWorkspace({
      beats: [],
      instead: (_, role) => (role === 'write' ? { fault: 'stall' } : undefined),
    })
    const { code, err } = await refine('Refine PRD', ...sap, '--max-time', '1s')
    expect(code, err).toBe(30)
    expect(err).toMatch(/Reason: .*time/)
  })

  test('of the context: nothing is sent that the model does not hold', async () => {
    const small = 'ladder:\n  - {id: ollama, context: 300}\n'
    const { refine, staged, put } = await refineWorkspace({ beats: [] }, {}, small)
    put('long.md', 'One sentence of many words. '.repeat(300))
    const refused = await refine('long.md')
    expect([refused.code, refused.out]).toEqual([30, ''])
    expect(refused.err).toMatch(/long\.md is about [\d,]+ tokens long, but the largest context of the models is 300/)
    const tight = await refine('Refine PRD '.repeat(138), '--preset', 'sap-0020')
    expect(tight.code, tight.err).toBe(30)
    expect(tight.err).toMatch(/it needs \d+ tokens, but the context of Llama 3\.1 70B is 300/)
    expect(staged.server.calls).toHaveLength(0)
  })

  test('of the context of a judge: the next one is asked, and where there is none it says what does not fit', async () => {
    const small = '{id: ollama, context: 300}'
    const alone = await refineWorkspace({ beats: [] }, {}, `ladder: [${small}]\n`)
    const { code, err } = await alone.refine('Refine PRD', '--preset', 'sap-0020')
    expect(code, err).toBe(30)
    expect(err).toMatch(/judging does not fit: it needs \d+ tokens, but the context of Llama 3\.1 70B is 300/)
    expect(alone.staged.asked()).toEqual(['plan llama3.1:70b', 'write llama3.1:70b'])
    const two = await refineWorkspace({ beats: [] }, {}, `ladder: [${small}, claude]\n`)
    expect((await two.refine('Refine PRD', '--preset', 'sap-0020', '--no-calibrate')).code).toBe(0)
    expect(two.staged.calls('judge').every(({ model }) => model.startsWith('claude'))).toBe(true)
  })

  test('of the run: a mebibyte is refused before anything is spent, with the figure and what to do', async () => {
    const { refine, staged, put, workspace } = await refineWorkspace({ beats: [] })
    put('big.md', 'One sentence of many words. '.repeat(40_000).slice(0, 1024 * 1024))
    const { code, out, err } = await refine('big.md')
    expect([code, out]).toEqual([30, ''])
    expect(err).toMatch(
      /big\.md is about \d{3},\d{3} tokens long: one iteration takes [\d,]+, but this run may spend 80,000/,
    )
    expect(err).toMatch(/Refine a part of it, or allow more: --max-tokens \d+0000/)
    expect(staged.server.calls).toHaveLength(0)
    expect(fs.existsSync(join(workspace, '.pawl', 'runs'))).toBe(false)
  })
})

describe('several runs in one workspace', () => {
  test('go on beside each other, each with its own text', async () => {
    const { refine, runs, workspace } = await refineWorkspace({ beats: [] })
    const all = await Promise.all(['One', 'Two', 'Three'].map((task) => refine(`Say ${task} at length`, ...sap)))
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(runs()).toHaveLength(3)
    const ids = new Set(sapLines(workspace).map(({ correlation_id }) => correlation_id))
    expect(ids.size).toBe(3)
  })

  test('that write the same file: the second does not write over what the first has made of it', async () => {
    const { refine, put, read } = await refineWorkspace({ beats: [] })
    put('prd.md', 'Before.\n')
    const both = await Promise.all([refine('prd.md', '--write', ...sap), refine('prd.md', '--write', ...sap)])
    expect(new Set(both.map(({ code }) => code)), both.map(({ err }) => err).join('\n')).toEqual(new Set([0, 10]))
    const wrote = both.filter(({ err }) => err.includes('prd.md was written.'))
    const kept = both.filter(
      ({ err }) => err.includes('has changed since the run began') && err.includes('--text > FILE'),
    )
    expect([wrote.length, kept.length]).toEqual([1, 1])
    expect(wrote[0]!.out).toContain(`+${read('prd.md').trim()}`)
  })
})

describe('bounds of a config file', () => {
  const ladder = 'ladder: [ollama, grok, claude]'

  test('lower those of the preset, and never raise them', async () => {
    const lower = await refineWorkspace(
      { beats: [{ score: 75 }] },
      {},
      `${ladder}\ndefault_iterations: 2\nmax_tokens: 900\n`,
    )
    const { code, err } = await lower.refine('Refine PRD', '--preset', 'sap-0020')
    expect([code, err]).toEqual([30, expect.stringContaining('at most 2 iterations, 900 tokens')])
    expect((await lower.run('why')).out).toMatch(/iterations 2 of 2, set by .*config\.yml.* <- ended it/)
    const higher = await refineWorkspace({ beats: [] }, {}, `${ladder}\ndefault_iterations: 50\nmax_tokens: 1000000\n`)
    expect((await higher.refine('Refine PRD', '--preset', 'sap-0020')).err).toContain(
      'at most 5 iterations, 1,000 tokens',
    )
  })

  test('a cost that cannot be known is said before anything is spent', async () => {
    const unpriced =
      '[ollama, {id: ours, provider: openai-compatible, model: m, base_url: "http://example.invalid/v1"}]'
    const { refine } = await refineWorkspace({ beats: [{ score: 90 }] }, {}, `ladder: ${unpriced}\nmax_cost: 1\n`)
    const { code, err } = await refine('Refine PRD', '--preset', 'sap-0020')
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/max_cost \(.*config\.yml.*\) does not bound .*price is unknown/),
    ])
  })
})
