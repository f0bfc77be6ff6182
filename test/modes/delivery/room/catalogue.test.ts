import { expect, test } from 'vitest'
import type { Case } from './case.ts'
import { cases as go } from './cheats/go.ts'
import { cases as javascript } from './cheats/javascript.ts'
import { cases as make } from './cheats/make.ts'
import { cases as python } from './cheats/python.ts'
import { cases as rust } from './cheats/rust.ts'
import { cases as shell } from './cheats/shell.ts'
import { cases as typescript } from './cheats/typescript.ts'
import { informed } from './informed.ts'
import { isUnseen } from './unseen.ts'

const cheats: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  javascript,
  typescript,
  python,
  go,
  rust,
  shell,
  make,
}

test('at most one cheat in twenty is known to pass, each by its name', () => {
  const kinds = [
    ...Object.entries(cheats),
    ...Object.entries(informed).map(([name, of]) => [`informed ${name}`, of] as const),
  ]
  const all = kinds.flatMap(([language, cases]) => Object.keys(cases).map((name) => isUnseen(language, name)))
  expect(all.length).toBeGreaterThan(740)
  expect(all.filter(Boolean).length / all.length).toBeLessThanOrEqual(0.05)
})
