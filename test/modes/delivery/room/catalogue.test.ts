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

const countPassing = (kinds: Readonly<Record<string, Readonly<Record<string, Case>>>>, prefix = '') => {
  const all = Object.entries(kinds).flatMap(([language, cases]) =>
    Object.keys(cases).map((name) => isUnseen(`${prefix}${language}`, name)),
  )
  return { all: all.length, share: all.filter(Boolean).length / all.length }
}

test('at most one cheat in twenty is known to pass, each by its name', () => {
  const { all, share } = countPassing(cheats)
  expect(all).toBeGreaterThan(500)
  expect(share).toBeLessThanOrEqual(0.05)
})

test('of those by others, with the source in hand, at most one in ten', () => {
  const { all, share } = countPassing(informed, 'informed ')
  expect(all).toBeGreaterThan(150)
  expect(share).toBeLessThanOrEqual(0.1)
})
