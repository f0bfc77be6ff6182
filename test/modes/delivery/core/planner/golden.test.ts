import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Plan } from '../../../../../src/modes/delivery/contract/plan.ts'
import { compilePlan } from '../../../../../src/modes/delivery/core/planner/compile.ts'
import { formatPlan, hashPlan } from '../../../../../src/modes/delivery/core/planner/story.ts'
import { planned } from './planned.ts'

const golden = join(import.meta.dirname, 'golden')
const verification = {
  story_commands: ['npm test', 'check {story_id}'],
  run_commands: ['npm run lint'],
  by_requirement: { 'AC-1': ['npm run first'], S2: ['npm run second', 'npm test'], '2.1': ['npm run ledger'] },
}

describe.each(fs.readdirSync(golden))('%s', (name) => {
  const folder = join(golden, name)
  const file = ['prd.md', 'prd.json'].find((one) => fs.existsSync(join(folder, one)))!
  const text = fs.readFileSync(join(folder, file), 'utf8')
  const plan = planned(compilePlan(text, file, verification))

  test('gives the plan that was looked at', () => {
    // PAWL_GOLDEN=write after a change that is meant; then look at the difference.
    if (process.env.PAWL_GOLDEN === 'write') fs.writeFileSync(join(folder, 'plan.json'), formatPlan(plan))
    expect(formatPlan(plan)).toBe(fs.readFileSync(join(folder, 'plan.json'), 'utf8'))
  })

  test('keeps to the contract, whose reading changes no byte', () => {
    const { sha256, ...rest } = Plan.parse(JSON.parse(formatPlan(plan)))
    expect(formatPlan({ ...rest, sha256 })).toBe(formatPlan(plan))
    expect(hashPlan(rest)).toBe(sha256)
  })

  test('gives the same stories with other line endings and a mark of byte order', () => {
    for (const other of [text.replaceAll('\n', '\r\n'), `\ufeff${text}`]) {
      const { stories, unmapped } = planned(compilePlan(other, file, verification))
      expect({ stories, unmapped }).toEqual({ stories: plan.stories, unmapped: plan.unmapped })
    }
  })

  test('works on nothing before what it depends on', () => {
    const place = new Map(plan.stories.map(({ id }, index) => [id, index]))
    plan.stories.forEach(({ id, depends_on }, index) => {
      expect(id).toBe(`S${index + 1}`)
      for (const one of depends_on) expect(place.get(one)).toBeLessThan(index)
    })
  })
})
