import { expect, test } from 'vitest'
import { Limits } from '../../../../src/modes/delivery/contract/input.ts'
import type { DeliveryDraft } from '../../../../src/modes/delivery/core/draft.ts'
import { formatDraft } from '../../../../src/modes/delivery/show/draft.ts'
import { plan, proof } from '../core/planner/planned.ts'

const shown = (text: string): string => {
  const input = { prd_path: 'PRD.md', working_branch: 'main', verification: proof, limits: Limits.parse({}) }
  const draft = { input: { ...input, policy: { tampering: 'block' } }, plan: plan(text), caps: {}, commit: true }
  return JSON.stringify(formatDraft(draft as unknown as DeliveryDraft))
}

test('a delivery says before it starts how many lines of the PRD are ignored, and how to see them', () => {
  const text = shown('## Tasks\n- Sell\n\n## Wünsche\n- bunt\n- schnell')
  expect(text).toContain('"  3 lines ignored: "')
  expect(text).toContain('["pawl","plan","PRD.md","--explain"]')
  expect(shown('## Tasks\n- Sell\n\n## Overview\nA shop.')).not.toContain('ignored')
})
