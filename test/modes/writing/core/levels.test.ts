import { describe, expect, test } from 'vitest'
import type { Level } from '../../../../src/modes/writing/contract/project-type.ts'
import {
  findLevel,
  formatFileLabel,
  formatPartName,
  formatReportName,
  listExpectedPaths,
  listLevelFiles,
  parsePartNumber,
} from '../../../../src/modes/writing/core/level/levels.ts'
import { novel } from '../built-in.ts'

const level = (id: string): Level => findLevel(novel, id)!
const series = level('prose').series!

test.for<[number, string]>([
  [0, 'chapter-00.md'],
  [3, 'chapter-03.md'],
  [42, 'chapter-42.md'],
  [100, 'chapter-100.md'],
  [1200, 'chapter-1200.md'],
])('part %i is %s, and back', ([number, name]) => {
  expect(formatPartName(series, number)).toBe(name)
  expect(parsePartNumber(series, name)).toBe(number)
})

test('names that people write have numbers too; others have none', () => {
  expect(parsePartNumber(series, 'chapter-3.md')).toBe(3)
  expect(parsePartNumber(series, 'chapter-003.md')).toBe(3)
  for (const name of ['chapter-.md', 'chapter-3a.md', 'chapter-3.md.bak', 'Chapter-3.md', 'chapter--3.md', 'x']) {
    expect(parsePartNumber(series, name)).toBeUndefined()
  }
})

test('a complete level has its lead and its parts, its one file, or no file that is expected', () => {
  expect(listExpectedPaths(level('chapters'), 2)).toEqual([
    'chapter-beats/foundation.md',
    'chapter-beats/chapter-01.md',
    'chapter-beats/chapter-02.md',
  ])
  expect(listExpectedPaths(level('prose'), 1)).toEqual(['chapters/chapter-01.md'])
  expect(listExpectedPaths(level('premise'), 15)).toEqual(['premise/premise_metadata.json'])
  expect(listExpectedPaths(level('analysis'), 15)).toEqual([])
})

describe('the files of a level among all paths of a project', () => {
  const paths = [
    'project.yaml',
    'chapter-beats/chapter-10.md',
    'chapter-beats/chapter-2.md',
    'chapter-beats/iteration_history.json',
    'chapter-beats/sources.json',
    'chapter-beats/combined.md',
    'chapter-beats/.chapter-03.md.swp',
    'chapter-beats/.DS_Store',
    'chapter-beats/notes.md',
    'chapter-beats/old/chapter-07.md',
    'chapter-beats/foundation.md',
    'chapter-beats/chapter-01.md',
    'chapter-beats/chapter-00.md',
    'chapter-beats-variants/chapter-05.md',
    'chapters/chapter-01.md',
    'chapters/front-matter.md',
    'premise/premises_candidates.json',
    'premise/premise_metadata.json',
    'analysis/pacing.md',
    'analysis/plot-holes.md',
    'analysis/iteration_history.json',
    'analysis/combined.md',
    'analysis/.draft.md',
    'analysis/old/pacing.md',
  ]
  const list = (id: string): string[] => listLevelFiles(level(id), paths).map(({ path, label }) => `${path} ${label}`)

  test('come in reading order, with labels', () => {
    expect(list('chapters')).toEqual([
      'chapter-beats/foundation.md Foundation',
      'chapter-beats/chapter-00.md Prologue',
      'chapter-beats/chapter-01.md Chapter 1',
      'chapter-beats/chapter-2.md Chapter 2',
      'chapter-beats/chapter-10.md Chapter 10',
    ])
    expect(list('prose')).toEqual(['chapters/chapter-01.md Chapter 1'])
    expect(list('premise')).toEqual(['premise/premise_metadata.json Premise'])
    expect(list('treatment')).toEqual([])
    expect(list('analysis')).toEqual(['analysis/pacing.md Pacing', 'analysis/plot-holes.md Plot holes'])
  })

  test('have a kind and a number', () => {
    expect(listLevelFiles(level('chapters'), paths).map(({ kind, number }) => [kind, number])).toEqual([
      ['lead', null],
      ['part', 0],
      ['part', 1],
      ['part', 2],
      ['part', 10],
    ])
    expect(listLevelFiles(level('analysis'), paths)[0]).toEqual({
      path: 'analysis/pacing.md',
      name: 'pacing.md',
      kind: 'part',
      number: null,
      label: 'Pacing',
    })
  })

  test('two files of one number are both there; the name that is not ours is said', () => {
    const names = ['chapter-1.md', 'chapter-001.md', 'chapter-01.md']
    const twice = listLevelFiles(
      level('prose'),
      names.map((name) => `chapters/${name}`),
    )
    expect(twice.map(({ name, label }) => [name, label])).toEqual([
      ['chapter-01.md', 'Chapter 1'],
      ['chapter-001.md', 'Chapter 1 (chapter-001.md)'],
      ['chapter-1.md', 'Chapter 1 (chapter-1.md)'],
    ])
  })
})

test('reports may have any name but those of our own files', () => {
  const list = (pattern: string, names: readonly string[]): string[] =>
    listLevelFiles(
      { ...level('analysis'), reports: { pattern, one: 'report', many: 'reports' } },
      names.map((name) => `analysis/${name}`),
    ).map(({ name }) => name)
  expect(list('{name}.json', ['iteration_history.json', 'sources.json', 'pacing.json'])).toEqual(['pacing.json'])
  // The beginning and the end of the pattern may not overlap.
  expect(list('a{name}a.md', ['a.md', 'aa.md', 'aba.md'])).toEqual(['aba.md'])
})

test('labels of single files', () => {
  expect(formatFileLabel(level('chapters'), 'chapter-003.md')).toBe('Chapter 3')
  expect(formatFileLabel(level('chapters'), 'foundation.md')).toBe('Foundation')
  expect(formatFileLabel(level('prose'), 'chapter-00.md')).toBe('Prologue')
  expect(formatFileLabel(level('treatment'), 'treatment.md')).toBe('Treatment')
  expect(formatFileLabel(level('treatment'), 'other.md')).toBe('other.md')
  expect(formatReportName(level('analysis').reports!, 'pacing')).toBe('pacing.md')
})
