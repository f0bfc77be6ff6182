import { realpathSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newFolder } from '../support/folder.ts'
import { stepNames, travel } from './journey.ts'
import { makeVariant } from './make-repository.ts'
import { variants } from './recipes/variants.ts'

test.each(variants)('$name: init, run, deliver, undo, deliver again, kill -9, resume', async (variant) => {
  const made = makeVariant(variant, realpathSync(newFolder()))
  if ('skipped' in made) throw new Error(made.skipped)
  const results = await travel(made.place, variant)
  expect(results.flatMap(({ step, problems }) => problems.map((problem) => `${step}: ${problem}`))).toEqual([])
  expect(results.map(({ step }) => step)).toEqual(stepNames)
})
