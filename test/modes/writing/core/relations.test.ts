import { expect, test } from 'vitest'
import type { ProjectType } from '../../../../src/modes/writing/contract/project-type.ts'
import { findCycle, listDownstream, listUpstream } from '../../../../src/modes/writing/core/level/relations.ts'
import { novel, prd } from '../built-in.ts'

const down = (type: ProjectType, id: string): string[] => listDownstream(type, id).map((level) => level.id)
const up = (type: ProjectType, id: string): string[] => listUpstream(type, id).map((level) => level.id)

test('downstream is what is made from a level, directly or not, and every report', () => {
  expect(down(novel, 'premise')).toEqual(['treatment', 'chapters', 'prose', 'analysis'])
  expect(down(novel, 'treatment')).toEqual(['chapters', 'prose', 'analysis'])
  expect(down(novel, 'chapters')).toEqual(['prose', 'analysis'])
  expect(down(novel, 'prose')).toEqual(['analysis'])
  expect(down(novel, 'analysis')).toEqual([])
  expect(down(prd, 'brief')).toEqual(['requirements', 'design', 'tasks', 'analysis'])
  expect(down(prd, 'unknown')).toEqual([])
})

test('upstream is what a level is made from; reports are about everything', () => {
  expect(up(novel, 'premise')).toEqual([])
  expect(up(novel, 'chapters')).toEqual(['premise', 'treatment'])
  expect(up(novel, 'prose')).toEqual(['premise', 'treatment', 'chapters'])
  expect(up(novel, 'analysis')).toEqual(['premise', 'treatment', 'chapters', 'prose'])
  expect(up(novel, 'unknown')).toEqual([])
})

test('reports are about everything, also about what they do not read', () => {
  const levels = novel.levels.map((level) => (level.leaf ? { ...level, context: ['prose'] } : level))
  expect(up({ ...novel, levels }, 'analysis')).toEqual(['premise', 'treatment', 'chapters', 'prose'])
  const none = novel.levels.map((level) => (level.leaf ? { ...level, context: [] } : level))
  expect(down({ ...novel, levels: none }, 'prose')).toEqual(['analysis'])
})

test('a level that is named only by one in between, or only followed, is found too', () => {
  const [premise, treatment, chapters, prose] = novel.levels
  const levels = [
    premise!,
    { ...treatment!, context: ['premise'] },
    { ...chapters!, context: ['treatment'] },
    { ...prose!, context: [] },
  ]
  expect(down({ ...novel, levels }, 'premise')).toEqual(['treatment', 'chapters', 'prose'])
  expect(up({ ...novel, levels }, 'prose')).toEqual(['premise', 'treatment', 'chapters'])
})

test('one level is downstream of another exactly if that one is upstream of it', () => {
  for (const type of [novel, prd]) {
    for (const { id } of type.levels) {
      for (const other of type.levels) expect(down(type, id).includes(other.id)).toBe(up(type, other.id).includes(id))
    }
  }
})

test('a cycle is found with its way, and does not hang the others', () => {
  expect(findCycle(novel)).toBeUndefined()
  const levels = novel.levels.map((level) => (level.id === 'premise' ? { ...level, context: ['prose'] } : level))
  expect(findCycle({ ...novel, levels })).toEqual(['premise', 'prose', 'premise'])
  expect(up({ ...novel, levels }, 'premise')).toEqual(['treatment', 'chapters', 'prose'])
  expect(down({ ...novel, levels }, 'prose')).toEqual(['premise', 'treatment', 'chapters', 'analysis'])
})
