import { type Gate, pickNames, sorted } from './gate.ts'
import { namedGates } from './named-gates.ts'
import type { Repository } from './repository.ts'
import { toldGates } from './told-gates.ts'
import { usualGates } from './usual-gates.ts'

/**
 * The commands that could prove an iteration's work, as the repository suggests them. What people named wins over
 * what is usual, and each source only fills in what the ones before it left open: nobody wants the tests run twice.
 */
export function findGates(repository: Repository): readonly Gate[] {
  const named = namedGates(repository)
  const targets = without(named, makeTargets(repository))
  const usual = without(targets, usualGates(repository))
  const found = [...named, ...targets, ...usual]
  const told = firstOfEach(without(found, toldGates(repository)))
  return sorted([...found, ...told])
}

const without = (found: readonly Gate[], gates: readonly Gate[]): readonly Gate[] =>
  gates.filter((gate) => !found.some((known) => covers(known, gate)))

const covers = (known: Gate, { purpose }: Gate): boolean =>
  known.purpose === purpose || (purpose === 'check' && (known.purpose === 'lint' || known.purpose === 'types'))

const firstOfEach = (gates: readonly Gate[]): readonly Gate[] =>
  gates.filter((gate, index) => gates.findIndex(({ purpose }) => purpose === gate.purpose) === index)

function makeTargets(repository: Repository): readonly Gate[] {
  const from = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => repository.has(name))
  if (from === undefined) return []
  const rules = repository.text(from).matchAll(/^([\w -]+):(?!:?=)/gm)
  const targets = [...rules].flatMap(([, left]) => left!.split(' ')).filter((name) => wanted.includes(name))
  // By the custom of make, `check` runs the tests where no other target does.
  const checks: readonly Gate[] =
    targets.includes('check') && !targets.includes('test') ? [{ command: 'make check', purpose: 'test', from }] : []
  const others = checks.length > 0 ? targets.filter((name) => name !== 'check') : targets
  return [...checks, ...pickNames(others).map(([purpose, name]) => ({ command: `make ${name}`, purpose, from }))]
}

const wanted: readonly string[] = ['test', 'lint', 'check']
