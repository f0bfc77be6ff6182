import { expect, test } from 'vitest'
import type { Plan } from '../../../../src/modes/delivery/contract/plan.ts'
import type { DeliveryRequest } from '../../../../src/modes/delivery/contract/request.ts'
import { emptyMemo } from '../../../../src/modes/delivery/core/memo.ts'
import { composePrompt } from '../../../../src/modes/delivery/core/prompt.ts'
import { plan } from './planner/planned.ts'

const request = {
  input: {
    prd_path: 'docs/kiosk.md',
    base_branch: 'main',
    working_branch: 'work',
    verification: { story_commands: ['npm test'], run_commands: [] },
    limits: { story_max_attempts: 4 },
  },
} as unknown as DeliveryRequest

const compose = (of: Plan, at = 0): string =>
  composePrompt({
    request,
    plan: of,
    story: of.stories[at]!,
    memo: emptyMemo('plan'),
    critique: '',
    changed: [],
    left: { ms: 60_000, costUsd: 1, tokens: 1, overheadTokens: 1 },
    attempt: 1,
  })

const prd = `# Kiosk

## Goals
- Sell **faster** than before

## Tasks

### T-1: Weigh a sale
Use \`scale.ts\`. The _display_ shows:

\`\`\`text
  1,250 g   <- right aligned
\`\`\`

- [ ] in grams

### T-2: Print

## Constraints
- No network

## Out of Scope
- Lending money
`

test('it has the lines of the story as they stand, code included, and the path of the PRD', () => {
  const text = compose(plan(prd))
  const own = prd.slice(prd.indexOf('### T-1'), prd.indexOf('### T-2')).trimEnd()
  expect(text).toContain(`\`\`\`\`\n${own}\n\`\`\`\`\n`)
  expect(text).toContain('`docs/kiosk.md` (T-1, lines 8 to 15)')
  expect(compose(plan(prd), 1)).not.toContain('1,250 g')
})

test('it has the goals, constraints and non-goals of the document, in every story', () => {
  for (const at of [0, 1]) {
    const text = compose(plan(prd), at)
    expect(text).toContain('Goals:\n\n```\n## Goals\n- Sell **faster** than before\n```')
    expect(text).toContain('Constraints, which hold for this story, too:\n\n```\n## Constraints\n- No network\n```')
    expect(text).toContain('Not wanted. Do not build any of this:\n\n```\n## Out of Scope\n- Lending money\n```')
  }
})

test('what is very long is cut at a line, with a note where the rest is', () => {
  const long = Array.from({ length: 3000 }, (_, index) => `- [ ] detail ${index}`).join('\n')
  const text = compose(plan(`## Goals\n${long}\n\n## Constraints\n- x\n\n## Tasks\n\n### T-1: Sell\n${long}`))
  expect(text).toContain('(cut: read the rest in lines 3008 to 6008 of `docs/kiosk.md`)')
  expect(text).toContain('(cut: read the rest in lines 1 to 3001 of `docs/kiosk.md`)')
  expect(text).toContain('(left out: lines 3003 to 3004 of `docs/kiosk.md`)')
  const quoted = text.slice(text.indexOf('## The story as'), text.indexOf('## Acceptance criteria'))
  expect(quoted.length).toBeLessThan(13_000)
  expect(quoted).toMatch(/- \[ \] detail \d+\n```\n/)
})

test('a story of JSON is quoted from JSON, however it is laid out', () => {
  const json = {
    constraints: ['No network'],
    tasks: [
      { id: 'a', title: 'Sell', acceptanceCriteria: ['fast'] },
      { id: 'b', title: 'Buy' },
    ],
  }
  for (const indent of [0, 2]) {
    const written = JSON.stringify(json, null, indent)
    const text = compose(plan(written, 'prd.json'))
    const own = /```\n([\s\S]*?)\n```/.exec(text)![1]!
    expect([JSON.parse(own), written.includes(own)]).toEqual([json.tasks[0], true])
    expect(text).toContain('- No network')
  }
})

test('a plan of an earlier version has neither, and still gives a prompt', () => {
  const { context: _, ignored: __, stories, ...rest } = plan(prd)
  const old = { ...rest, stories: stories.map(({ text: ___, ...story }) => story) }
  expect(compose(old)).toContain('# S1: Weigh a sale')
  expect(compose(old)).not.toContain('as the PRD has it')
})
