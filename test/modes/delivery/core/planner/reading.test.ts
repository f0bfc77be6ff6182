import { describe, expect, test } from 'vitest'
import { order, plan, problem } from './planned.ts'

const titles = (text: string, file = 'prd.md'): string[] => plan(text, file).stories.map(({ title }) => title)
const criteria = (text: string): string[][] =>
  plan(text).stories.map(({ acceptance_criteria }) => acceptance_criteria.map((one) => one.text))

describe('a checkbox or an id wins over its heading', () => {
  test.each(['Verification', 'Testing', 'Validation', 'Notes', 'Metadata', 'Overview', 'Test plan'])(
    '%s',
    (heading) => {
      expect(
        order(`# Kiosk\n\n## Tasks\n- T-1: Sell\n\n## ${heading}\n- T-2: Weigh a sale\n- [ ] T-3 Count the till`),
      ).toEqual(['S1 T-1', 'S2 T-2', 'S3 T-3'])
      expect(titles(`## ${heading}\n- [ ] Weigh a sale\n- just a remark`)).toEqual(['Weigh a sale'])
      expect(titles(`## ${heading}\n### FR-1: Weigh a sale\n- in grams`)).toEqual(['Weigh a sale'])
    },
  )

  test('below a story it is a criterion of that story', () => {
    expect(criteria('### T-1: Sell\n\n**Verification**\n- [ ] the till rings\n- loudly\n\n### T-2: Buy')).toEqual([
      ['the till rings'],
      ['Buy'],
    ])
  })

  test('a risk, a goal or a reference with a number is no requirement', () => {
    const text =
      '## Requirements\n- FR-1: Sell\n\n## Risks\n- R1: fire\n\n## References\n- R-2: a book\n\n## Goals\n- G1: be rich'
    expect(order(text)).toEqual(['S1 FR-1'])
  })

  test('what is out of scope stays out, ids and boxes included', () => {
    expect(order('- T-1: Sell\n\n## Out of scope\n- [ ] T-2 Lend\n### T-3: Rent')).toEqual(['S1 T-1'])
  })
})

describe('a quote', () => {
  test('is no heading, so what follows stays where it is', () => {
    const text =
      '## Tasks\n\n### T-1: Sell\n\n> **NOTE: ask first**\n\n- in cash\n\n> ## Aside\n\n- by card\n\n### T-2: Buy'
    expect(criteria(text)).toEqual([['NOTE: ask first', 'in cash', 'Aside', 'by card'], ['Buy']])
  })

  test('may hold a story', () => {
    expect(titles('> As a clerk, I want to sell.\n\n> - [ ] nothing else')).toEqual(['As a clerk, I want to sell.'])
  })
})

describe('a list of files', () => {
  const files = (text: string): readonly string[] => plan(text).stories[0]!.file_focus

  test.each([
    ['a bold label', '**Files:**\n- Create: `src/a.ts`\n- `src/b.ts`\n\n**Approach:**\n\nwrite it well'],
    ['a label in the same list', '- **Files:**\n  - `src/a.ts`\n  - `src/b.ts`\n- **Approach:** write it well'],
    ['a step', '**Files:**\n- `src/a.ts`\n- `src/b.ts`\n\n- [ ] **Step 1: write it well**'],
    ['a step in words', '**Files:**\n- `src/a.ts`\n- Test: `src/b.ts`\n- write it well in `src/c.ts`'],
    ['a paragraph', '**Files:**\n- `src/a.ts`\n- `src/b.ts`\n\nStep 1: write it well'],
  ])('ends at %s', (_, below) => {
    const text = `### T-1: Sell\n\n${below}\n\n### T-2: Buy`
    expect(criteria(text)[0]!.join()).toContain('write it well')
    expect(files(text).slice(0, 2)).toEqual(['src/a.ts', 'src/b.ts'])
  })
})

describe('ids', () => {
  test('any string or number of JSON', () => {
    const text = JSON.stringify({
      tasks: [
        { id: 'open-shop', title: 'Open' },
        { id: 'sell', title: 'Sell', dependsOn: ['weigh', 'open-shop'] },
        { id: 'weigh', title: 'Weigh', dependencies: [7] },
        { id: 7, title: 'Buy scales' },
      ],
    })
    expect(order(text, 'prd.json')).toEqual(['S1 7', 'S2 open-shop', 'S3 weigh <- S1', 'S4 sell <- S2 S3'])
  })

  test('the same string twice is refused, __proto__ is a string', () => {
    const twice = JSON.stringify({
      tasks: [
        { id: 'a b', title: 'x' },
        { id: 'a b', title: 'y' },
      ],
    })
    expect(problem(twice, 'a.json')).toMatchObject({ code: 'duplicate-id' })
    expect(order('{"tasks": [{"id": "__proto__", "title": "x"}]}', 'a.json')).toEqual(['S1 __proto__'])
  })

  test('T1 in Markdown, if the document has T2 as well', () => {
    expect(order('## Phase 1\n- T1 Sell\n- T2 Buy (depends on T1)')).toEqual(['S1 T1', 'S2 T2 <- S1'])
    expect(order('- [ ] T1 Sell\n- [ ] T2 Buy')).toEqual(['S1 T1', 'S2 T2'])
    expect(order('### T1 Sell\n### T2 Buy')).toEqual(['S1 T1', 'S2 T2'])
    expect(order('## Stack\n- T3 stack\n\n## Requirements\n- FR-1: Sell')).toEqual(['S1 FR-1'])
  })
})

describe('an unknown dependency', () => {
  test.each([
    ['### T-1: Sell\n\nDepends: X-9', 'prd.md'],
    ['### T-1: Sell\n\nDepends on: T-9 (the till)', 'prd.md'],
    ['- T-1: Sell\n- T-2: Buy. Depends on T-9.', 'prd.md'],
    ['{"tasks":[{"id":"T-1","title":"Sell","dependsOn":["till"]}]}', 'prd.json'],
    ['{"tasks":[{"id":"T-1","title":"Sell","dependencies":[9]}]}', 'prd.json'],
    ['{"tasks":[{"id":"T-1","title":"Sell","dependencies":[{"id":"T-9"}]}]}', 'prd.json'],
  ])('%j is refused with its line and the known ids', (text, file) => {
    const found = problem(text, file)
    expect(found).toMatchObject({ code: 'unknown-dependency', line: expect.any(Number) })
    expect(found.hint).toMatch(/Known ids: T-1/)
  })

  test.each([
    'none',
    'None',
    '-',
    '—',
    'n/a',
    'N/A.',
    'Nothing (first task)',
    'None, uses S3',
    'the database',
    'OAuth2 server, Redis 7',
  ])('"%s" is none', (words) => {
    expect(order(`### T-1: Sell\n\n**Depends on:** ${words}\n\n### T-2: Buy`)).toEqual(['S1 T-1', 'S2 T-2'])
    const json = { tasks: [{ id: 1, title: 'Sell', dependencies: /^(?:none|-|n\/a)$/i.test(words) ? [words] : [] }] }
    expect(order(JSON.stringify(json), 'a.json')).toEqual(['S1 1'])
  })
})

describe('the first heading', () => {
  test.each([
    ['# Requirements\n\n- Sell\n- Buy', ['Sell', 'Buy']],
    ['# Requirements\n\n## Selling\n- in cash\n\n## Buying\n- on credit', ['Selling', 'Buying']],
    ['# User Stories\n\n## Selling\n- in cash', ['Selling']],
    ['# ✅ Acceptance Criteria:\n\n- it sells', ['it sells']],
    ['# Requirements Document\n\n- Owner: me\n\n## Requirements\n- Sell', ['Sell']],
    ['# Product Requirements: Kiosk\n\n- draft\n\n## Features\n- Sell', ['Sell']],
  ])('%j', (text, expected) => {
    expect(titles(text)).toEqual(expected)
  })
})

describe('shapes that people use', () => {
  test('"## Feature:" does not make Markdown a Gherkin file', () => {
    expect(titles('# Kiosk\n\n## Feature: Selling\n\n- [ ] Sell')).toEqual(['Sell'])
    expect(titles('# a comment\n@slow\nFeature: Selling\n  Scenario: Sell\n    Given a shop')).toEqual(['Sell'])
  })

  test('an empty list item is no story, and what is in it is', () => {
    expect(titles('## Tasks\n- Sell\n-\n- <!-- yours -->\n- - Buy')).toEqual(['Sell', 'Buy'])
  })

  test('front matter needs a key: two rules hide nothing', () => {
    expect(titles('---\n\n- [ ] Sell\n\n---\n\n- [ ] Buy')).toEqual(['Sell', 'Buy'])
    expect(titles('\n ---\ntitle: x\nwhy: - [ ] y\n---\n\n- [ ] Buy')).toEqual(['Buy'])
  })

  test('P0 is a priority and no id', () => {
    const text =
      '## Features\n### P0 — Must Have\n1. **Sell** — at once\n### P1: Should have\n2. **Buy**\n### P2 - Nice to have\n3. **Rent**'
    expect(titles(text)).toEqual(['Sell — at once', 'Buy'])
  })

  test('headings below "# Tasks" group the tasks', () => {
    expect(titles('# Tasks\n\n## Shop\n- Sell\n- Buy\n\n## House\n- Clean\n\n## T-9: Cook\n- well')).toEqual([
      'Cook',
      'Sell',
      'Buy',
      'Clean',
    ])
  })

  test('a row with a tick before its id, and its acceptance as the only title', () => {
    const head = '| id | role | files | depends-on | acceptance |\n|-|-|-|-|-|\n'
    const rows = '| ✅ T01 | dev | src/a.ts | - | R1.1: it sells |\n| ⬜ T02 | dev | src/b.ts | T01 | it buys |'
    expect(order(head + rows)).toEqual(['S1 T01', 'S2 T02 <- S1'])
    expect(titles(head + rows)).toEqual(['R1.1: it sells', 'it buys'])
  })
})

describe('tags hide nothing', () => {
  test.each([
    '<context>\n## Tasks\n- Sell\n- Buy\n</context>',
    '<tasks>\n- [ ] Sell\n- [ ] Buy\n</tasks>',
    '<details>\n<summary>Tasks</summary>\n- [ ] Sell\n- [ ] Buy\n</details>',
    '<div align="center">\n\n- [ ] Sell\n</div>\n- [ ] Buy',
    '<Instructions kind="all">\n- [ ] Sell\n\n<more />\n- [ ] Buy\n</Instructions>',
    '<user-stories><story>\n- [ ] Sell\n</story>\n- [ ] Buy\n</user-stories>',
  ])('%j', (text) => {
    expect(titles(text)).toEqual(['Sell', 'Buy'])
  })
})

describe('an id that comes again', () => {
  const defined = '## Stories\n- US-1: Sell\n- US-2: Buy\n\n## Tasks\n- T-3: Till (US-1)\n- T-4: Cart (US-2)\n\n'
  test.each([
    '## Order\n- T-3 → T-4',
    '## Order\n- US-1 → T-3\n- US-2 -> T-4, T-3',
    'T-3 -> T-4\n\nT-3 => T-4 => T-3',
    '- T-3, T-4 can be done at once\n- T-3 and T-4 are small',
    '## Which is where\n- US-1: T-3, T-4\n- US-2: T-4',
    '## Traceability\n- US-1: sold by T-3\n- T-3: for US-1',
    '## Dependencies\n- T-4: needs T-3\n- T-3 (none)',
    '| Story | Task |\n|-|-|\n| US-1 | T-3 |\n| US-2 | T-4 |',
    '| Requirement | T-3 | T-4 |\n|-|-|-|\n| US-1 | ✓ | |\n| US-2 | | x |',
    '## Coverage matrix\n| ID | Title | Done |\n|-|-|-|\n| US-1 | Sell | yes |',
    'Dependencies: T-3 -> T-4',
  ])('is a mention: %j', (again) => {
    const { stories, unmapped } = plan(defined + again)
    expect(stories.map(({ source, depends_on }) => [source.id, ...depends_on])).toEqual([['T-3'], ['T-4']])
    const said = stories.map(({ acceptance_criteria }) => acceptance_criteria.map((one) => one.text))
    expect([said, unmapped]).toEqual([[['Sell'], ['Buy']], []])
  })

  test('a mention alone defines nothing', () => {
    expect(order('- [ ] Sell\n\n## Map\n- US-1 → T-3\n- US-2: T-4, T-5')).toEqual(['S1 line 1'])
  })
})

describe('a criterion', () => {
  test('never belongs to a story by its number alone', () => {
    const { stories, unmapped } = plan(
      '## Requirements\n- FR-1: Sell\n- FR-2: Buy\n\n## Acceptance Criteria\n- AC-2: rings\n- AC-2.1: twice\n- AC-1: in time',
    )
    expect(stories.map(({ acceptance_criteria }) => acceptance_criteria.length)).toEqual([1, 1])
    expect(unmapped.map(({ id }) => id)).toEqual(['AC-2', 'AC-2.1', 'AC-1'])
  })

  test('belongs by reference, nesting or heading', () => {
    const text =
      '## Requirements\n- FR-1: Sell\n  - AC-3: nested\n- FR-2: Buy\n\n## Acceptance Criteria\n- AC-1 (FR-2): named\n\n### FR-1\n- AC-9: below'
    expect(criteria(text)).toEqual([
      ['Sell', 'nested', 'below'],
      ['Buy', '(FR-2): named'],
    ])
  })
})
