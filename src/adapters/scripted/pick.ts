import { closeSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentStep } from '../../contract/script.ts'

export type Occasion = { readonly task: string | undefined; readonly attempt: number | undefined }

/** The first entry made for this occasion; else the next of the entries made for none, the last of which repeats. */
export function pickStep(steps: readonly AgentStep[], occasion: Occasion, countFolder: string): AgentStep | undefined {
  const fitting = steps.find((step) => step.when && fits(step.when, occasion))
  if (fitting) return fitting
  const plain = steps.filter((step) => !step.when)
  if (plain.length < 2) return plain[0]
  return plain[Math.min(takeNumber(countFolder), plain.length) - 1]
}

function fits(when: NonNullable<AgentStep['when']>, { task, attempt }: Occasion): boolean {
  if (when.task !== undefined && when.task !== task) return false
  return when.attempt === undefined || when.attempt === attempt
}

/** 1, 2, 3 and so on. A mark is created or refused as a whole, so no two processes take the same number. */
export function takeNumber(folder: string): number {
  mkdirSync(folder, { recursive: true })
  for (let number = readdirSync(folder).length + 1; ; number += 1) {
    try {
      closeSync(openSync(join(folder, String(number)), 'wx'))
      return number
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
