import { expect, test } from 'vitest'
import type { SemanticDiff } from '../../../../../src/modes/writing/contract/semantic-diff.ts'
import { computeDiff } from '../../../../../src/modes/writing/core/diff/compute.ts'
import { joinDiff } from '../../../../../src/modes/writing/core/diff/join.ts'
import { readLabels } from '../../../../../src/modes/writing/core/diff/labels.ts'
import { beats } from './cases/beats.ts'
import type { Finder, Fixture, Reply } from './cases/case.ts'
import { expedition } from './cases/expedition.ts'
import { clock } from './cases/fresh/clock.ts'
import { grant } from './cases/fresh/grant.ts'
import { novel } from './cases/fresh/novel.ts'
import { orchard } from './cases/fresh/orchard.ts'
import { prd } from './cases/fresh/prd.ts'
import { trains } from './cases/fresh/trains.ts'
import { german } from './cases/german.ts'
import { handbook } from './cases/handbook.ts'
import { premise } from './cases/premise.ts'
import { prose } from './cases/prose.ts'
import { requirements } from './cases/requirements.ts'
import { restructured } from './cases/restructured.ts'
import { app } from './cases/third/app.ts'
import { eulogy } from './cases/third/eulogy.ts'
import { ferry } from './cases/third/ferry.ts'
import { museum } from './cases/third/museum.ts'
import { world } from './cases/third/world.ts'
import { treatment } from './cases/treatment.ts'
import { makeLevel } from './level.ts'

/** Written before the rules. */
const fixtures: readonly Fixture[] = [beats, prose, premise, requirements, german, treatment, restructured]

/** Written after the rules, which were not changed for them. */
const heldOut: readonly Fixture[] = [expedition, handbook]

/** Each written by somebody who did not know the rules, about free texts. */
const byOthers = {
  fresh: [novel, clock, prd, grant, orchard, trains],
  third: [ferry, eulogy, app, museum, world],
} satisfies Record<string, readonly Fixture[]>

const keep: Reply = (base) => base

/** Flags that the honest reply does not get: a lie must not be caught by accident. */
function findNew(fixture: Fixture, reply: Reply): readonly string[] {
  const show = (one: Reply): readonly string[] => judge(fixture, one).flags.map((flag) => JSON.stringify(flag))
  const usual = new Set(show(keep))
  return show(reply).filter((flag) => !usual.has(flag))
}

/** Sends a whole reply, as text, through everything that a reply goes through. */
function judge(fixture: Fixture, reply: Reply): SemanticDiff {
  const level = makeLevel(fixture.before, fixture.after)
  const computed = computeDiff(level)
  const finder: Finder = Object.assign(
    (words: string): string => {
      const found = computed.hunks.filter(
        ({ before, after }) => before.text.includes(words) || after.text.includes(words),
      )
      if (found.length !== 1) throw new Error(`${fixture.name}: ${found.length} hunks with "${words}"`)
      return found[0]!.id
    },
    {
      of: (path: string): string[] => {
        const unit = computed.units.find((one) => one.path === path)!
        return computed.hunks.filter((hunk) => hunk.unit === unit.id).map(({ id }) => id)
      },
    },
  )
  const said = reply(fixture.base(finder), finder)
  const reading = readLabels(`Here is the diff:\n\n\`\`\`json\n${JSON.stringify(said)}\n\`\`\``, computed)
  if ('unreadable' in reading) throw new Error(`${fixture.name}: ${reading.unreadable}`)
  return joinDiff(computed, reading.labels, {
    iteration_id: 'it_1',
    target: 'chapters',
    request: '',
    verdict: { judge: 'approved', attempts: 1 },
    model: 'scripted',
    before: level.before,
    after: level.after,
  })
}

const list = (from: readonly Fixture[], kind: 'lies' | 'honest') =>
  from.flatMap((fixture) =>
    Object.entries(fixture[kind]).map(([name, reply]) => ({ name: `${fixture.name}: ${name}`, fixture, reply })),
  )

/** Returns the share of lies that are flagged, and prints the others. */
function measureLies(from: readonly Fixture[]): { readonly count: number; readonly share: number } {
  const lies = list(from, 'lies')
  const missed = lies.filter(({ fixture, reply }) => findNew(fixture, reply).length === 0).map(({ name }) => name)
  console.log(`lies flagged: ${lies.length - missed.length} of ${lies.length}`, missed)
  return { count: lies.length, share: 1 - missed.length / lies.length }
}

/** Returns the share of honest replies without a flag, and prints the others. */
function measureHonest(from: readonly Fixture[]): { readonly count: number; readonly share: number } {
  const honest = list(from, 'honest')
  const flagged = honest.flatMap(({ name, fixture, reply }) => {
    const { flags } = judge(fixture, reply)
    return flags.length === 0 ? [] : [`${name}: ${JSON.stringify(flags)}`]
  })
  console.log(`honest replies without a flag: ${honest.length - flagged.length} of ${honest.length}`, flagged)
  return { count: honest.length, share: 1 - flagged.length / honest.length }
}

test('at least 95 % of the planted lies are flagged', () => {
  const { count, share } = measureLies(fixtures)
  expect(count).toBeGreaterThanOrEqual(50)
  expect(share).toBeGreaterThanOrEqual(0.95)
})

test('at least 95 % of the honest replies are not flagged', () => {
  const { count, share } = measureHonest(fixtures)
  expect(count).toBeGreaterThanOrEqual(40)
  expect(share).toBeGreaterThanOrEqual(0.95)
})

test('the rules hold for texts that they were not written for', () => {
  const [lies, honest] = [measureLies(heldOut), measureHonest(heldOut)]
  expect([lies.count, honest.count]).toEqual([15, 15])
  expect(lies.share).toBeGreaterThanOrEqual(0.9)
  expect(honest.share).toBeGreaterThanOrEqual(0.95)
})

// Code finds what it can prove. What a summary says in words of its own, nobody but a reader can check: docs/decisions/2026-11-16-writing.md.
test.each([
  ['fresh', 0.25],
  ['third', 0.4],
] as const)('%s, by others: what is flagged is wrong; most of what is wrong is not flagged', (group, least) => {
  const [lies, honest] = [measureLies(byOthers[group]), measureHonest(byOthers[group])]
  expect(lies.count).toBeGreaterThanOrEqual(60)
  expect(lies.share).toBeGreaterThanOrEqual(least)
  expect(honest.share).toBeGreaterThanOrEqual(0.95)
})
