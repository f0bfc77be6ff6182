import { nearest } from '../../../../contract/nearest.ts'
import type { Story } from '../../contract/plan.ts'
import type { ContractProblem } from './contract-error.ts'

type Stories = readonly Pick<Story, 'id' | 'depends_on'>[]
type Places = ReadonlyMap<string, number>

/** What a schema cannot say of stories: ids are unique, and each story comes after those that it depends on. */
export function findGraphProblem(stories: Stories): ContractProblem | undefined {
  const places = new Map<string, number>()
  for (const [index, { id }] of stories.entries()) {
    const first = places.get(id)
    if (first !== undefined) return idTwice(id, first, index)
    places.set(id, index)
  }
  for (const [index, { id, depends_on }] of stories.entries()) {
    for (const [edge, on] of depends_on.entries()) {
      const pointer = `/stories/${index}/depends_on/${edge}`
      const place = places.get(on)
      if (place === undefined) return unknownStory(on, pointer, places)
      if (on === id) return { pointer, what: 'a story depends on itself', found: on, allowed: 'stories before it' }
    }
  }
  return wrongOrder(stories, places)
}

/** Where every story follows what it depends on there is no cycle; where one does not, there may be. */
function wrongOrder(stories: Stories, places: Places): ContractProblem | undefined {
  for (const [index, { id, depends_on }] of stories.entries()) {
    const edge = depends_on.findIndex((on) => places.get(on)! > index)
    if (edge < 0) continue
    const cycle = findCycle(stories, places)
    if (cycle) return cycleProblem(cycle, stories, places)
    const pointer = `/stories/${index}/depends_on/${edge}`
    const found = `${id} before ${depends_on[edge]}`
    return { pointer, what: 'wrong order', found, allowed: 'every story after those that it depends on' }
  }
  return undefined
}

function idTwice(id: string, first: number, index: number): ContractProblem {
  const allowed = `an id that no other story has; /stories/${first} has it too`
  return { pointer: `/stories/${index}/id`, what: 'an id stands twice', found: id, allowed }
}

function unknownStory(on: string, pointer: string, places: Places): ContractProblem {
  const allowed = 'the id of a story of this plan'
  return { pointer, what: 'unknown story', found: on, allowed, nearest: nearest(on, [...places.keys()]) }
}

function cycleProblem(cycle: readonly string[], stories: Stories, places: Places): ContractProblem {
  const [from, to] = cycle
  const index = places.get(from!)!
  const pointer = `/stories/${index}/depends_on/${stories[index]!.depends_on.indexOf(to!)}`
  return { pointer, what: 'stories wait for each other', found: shown(cycle), allowed: 'dependencies without a cycle' }
}

/** S1 -> S3 -> S1; of a long way the beginning and the end. */
function shown(cycle: readonly string[]): string {
  const ends = cycle.length > 8 ? [...cycle.slice(0, 4), `${cycle.length - 6} more`, ...cycle.slice(-2)] : cycle
  return ends.join(' -> ')
}

/** Depth first without recursion. A story is on the way while it is `open`; meeting one again closes a cycle. */
function findCycle(stories: Stories, places: Places): readonly string[] | undefined {
  const seen = new Map<number, 'open' | 'closed'>()
  for (const start of stories.keys()) {
    const way = seen.has(start) ? [] : [{ story: start, edge: 0 }]
    for (let here = way.at(-1); here; here = way.at(-1)) {
      seen.set(here.story, 'open')
      const on = stories[here.story]!.depends_on[here.edge++]
      const next = on === undefined ? undefined : places.get(on)!
      if (next === undefined) seen.set(way.pop()!.story, 'closed')
      else if (seen.get(next) === 'open') {
        const from = way.findIndex(({ story }) => story === next)
        return [...way.slice(from).map(({ story }) => stories[story]!.id), stories[next]!.id]
      } else if (!seen.has(next)) way.push({ story: next, edge: 0 })
    }
  }
  return undefined
}
