import { describe, expect, test } from 'vitest'
import { plan, problem } from './planned.ts'

const titles = (text: string): string[] => plan(text).stories.map(({ title }) => title)
const ignored = (text: string): number[] => (plan(text).ignored ?? []).map(({ line }) => line)

const story = '# Numbers\n\nAs a clerk, I want `mean(xs)`.\n\n'

describe('a sentence that asks for something and is no story is ignored, not context', () => {
  test.each([
    'It would also be great to have a `spread(xs)` function.',
    'It would be nice if sums were rounded.',
    'We also need a `spread(xs)` function.',
    'Please add a `spread(xs)` function.',
    'Can we have `spread(xs)` as well?',
    'I want `spread(xs)` too.',
    "I'd love a `spread(xs)`.",
    'Users want to be able to see the spread.',
    'Empty lists should give 0.',
    'Empty lists must give 0.',
    'Each function has to take any numbers.',
    'Each function needs to take any numbers.',
    'All functions are supposed to be fast.',
    "Don't forget `spread(xs)`.",
    'Make sure that empty lists give 0.',
    'The module is small. We also need a `spread(xs)`. That is all.',
    'Add a function `spread(xs)`.',
  ])('%s', (sentence) => {
    expect(titles(story + sentence)).toEqual(['As a clerk, I want `mean(xs)`.'])
    expect(plan(story + sentence).ignored).toEqual([{ line: 5, end_line: 5, because: 'a paragraph without an id' }])
  })

  test('in a section of items and below a phase too', () => {
    expect(ignored('## Tasks\n\nIt would be great to have a till.\n\n- Sell')).toEqual([3])
    expect(ignored('## Phase 1\n\nWe also need a till.\n\n- [ ] T-1 Sell\n- [ ] T-2 Buy')).toEqual([3])
  })
})

describe('a sentence that explains is context', () => {
  test.each([
    'A small module for clerks.',
    'This document says what the module must do.',
    'Note: callers should know Python.',
    '**Goal:** clerks should be done sooner.',
    'Background: clerks must count by hand.',
    'The module should hold:',
  ])('%s', (sentence) => {
    expect(ignored(story + sentence)).toEqual([])
  })

  test('an order above a list or sections sums them up', () => {
    expect(ignored('# Kiosk\n\nBuild a small kiosk.\n\n- [ ] Sell\n- [ ] Buy')).toEqual([])
    expect(ignored('# Kiosk\n\nBuild a small kiosk.\n\n## Tasks\n\n- Sell')).toEqual([])
  })

  test('a section of context keeps its words', () => {
    expect(ignored(`${story}## Background\n\nWe need a module and it must be small.`)).toEqual([])
  })
})

describe('a document of plain sentences', () => {
  test.each([
    ['Add a function spread(xs) that returns max minus min.'],
    ['Please add a function spread(xs).'],
    ['It would be great to have a `spread(xs)` function.'],
    ['We need a function spread(xs).'],
    ['# Numbers\n\nAdd a function spread(xs).', 'Add a function spread(xs).'],
    ['# Add a function spread(xs)\n\nIt returns max minus min.', 'Add a function spread(xs)'],
    ['Hello. **Rename** `a.py` to `b.py`.', 'Hello. Rename `a.py` to `b.py`.'],
  ])('%j is one story', (text, title = text) => {
    expect(titles(text)).toEqual([title])
  })

  test('has a story for each paragraph that asks', () => {
    expect(titles('Add a function spread(xs).\n\nThe file is old.\n\nIt should be fast.\n\nRemove mean(xs).')).toEqual([
      'Add a function spread(xs).',
      'It should be fast.',
      'Remove mean(xs).',
    ])
    expect(titles('- Add a till\n- Remove the door')).toEqual(['Add a till', 'Remove the door'])
  })

  test('keeps the list below an order with it', () => {
    const { stories } = plan('Add a function spread(xs):\n\n- Return max minus min\n- It must take any numbers')
    expect(stories.map(({ acceptance_criteria }) => acceptance_criteria.map(({ text }) => text))).toEqual([
      ['Add a function spread(xs):', 'Return max minus min', 'It must take any numbers'],
    ])
  })

  test.each([
    'Hello.',
    '# Numbers\n\nThis module counts. It is fast.',
    'Build status: green.',
    '# Numbers\n\n## Usage\n\nAdd the module to your path.\n\n## Licence\n\nMIT',
    '# Adding\n\nSome numbers.',
  ])('%j asks for nothing', (text) => {
    expect(problem(text).code).toBe('nothing-found')
  })
})
