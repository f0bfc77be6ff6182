import { expect, test } from 'vitest'
import { adaptiveIterate } from '../../../../dist/index.js'
import { general } from '../../../../src/judging/scoring/rubrics/general.ts'
import { newFolder } from '../../../support/folder.ts'
import { of, sapLines } from './sap-lines.ts'
import { judgement, stage } from './stage.ts'

/** A judge that is off by so much whatever it judges. Texts of ours are worth what their number says. */
const biasedBy = (bias: number) => (prompt: string) => {
  const anchor = general.anchors.find(({ text }) => prompt.includes(text))
  const own = /worth (\d+)/.exec(prompt)
  const worth = anchor?.score ?? Number(own?.[1] ?? 0)
  return Math.max(0, Math.min(100, worth + bias))
}

async function judgedWith(bias: number) {
  const judge = biasedBy(bias)
  const { env } = await stage({
    beats: [82, 84, 86].map((worth) => ({ text: `a text worth ${worth}` })),
    instead: ({ prompt }, role) => (role === 'judge' ? { text: judgement(judge(prompt)) } : undefined),
  })
  const workspace = newFolder()
  const { status } = await adaptiveIterate('Write it', {
    env: { ...env, PAWL_KEY: '0'.repeat(64) },
    workspace,
    config: { calibrates: 'always' },
  })
  return { status, lines: of(sapLines(workspace), 'score') }
}

test('two judges that are off by +10 and -15 end within 3 points of each other, and the log shows it', async () => {
  const [mild, harsh] = await Promise.all([judgedWith(10), judgedWith(-15)])
  expect([mild.lines.length, harsh.lines.length]).toEqual([3, 3])
  for (const [index, line] of mild.lines.entries()) {
    const other = harsh.lines[index]!
    expect([line.raw_score! - other.raw_score!, line.calibration_id === other.calibration_id]).toEqual([25, false])
    expect(Math.abs(line.score! - other.score!)).toBeLessThan(3)
    expect(line.calibration_id).toMatch(/^[0-9a-f]{12}$/)
  }
  expect([mild.status, harsh.status]).toEqual(['completed', 'completed'])
})
