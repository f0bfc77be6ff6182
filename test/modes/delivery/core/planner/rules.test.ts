import { describe, expect, test } from 'vitest'
import { compilePlan } from '../../../../../src/modes/delivery/core/planner/compile.ts'
import { listStoryCommands } from '../../../../../src/modes/delivery/core/planner/story.ts'
import { order, plan, problem, proof } from './planned.ts'

describe('order', () => {
  test('dependencies come first, then ids by prefix and number, then lines as they stand', () => {
    expect(order('- AC-10: a\n- AC-9: b\n- AC-2: c. Depends on AC-10.\n- AB-3: d')).toEqual([
      'S1 AC-9',
      'S2 AC-10',
      'S3 AC-2 <- S2',
    ])
    expect(order('## Tasks\n\n- B-1: x\n- A-2: y\n- without an id\n- A-1: z')).toEqual([
      'S1 A-1',
      'S2 A-2',
      'S3 B-1',
      'S4 line 5',
    ])
  })

  test.each([
    ['- AC-1: a\n- AC-2: Depends on AC-1', 'AC-2 <- S1'],
    ['- AC-1: a\n- AC-2: b (depends on AC-1)', 'AC-2 <- S1'],
    ['- AC-1: a\n- AC-2: b, after AC-1', 'AC-2 <- S1'],
    ['- AC-1: a\n- AC-2: blocked by **AC-01**', 'AC-2 <- S1'],
    ['- AC-1: a\n- AC-2: b\n  - Depends on: AC1', 'AC-2 <- S1'],
    ['- AC-1: a\n- AC-2: b\n  - Depends on:\n    - `AC-1`', 'AC-2 <- S1'],
    ['### AC-1 a\n\n### AC-2 b\n\n**Dependencies**: AC-1', 'AC-2 <- S1'],
    ['- AC-1: a\n- AC-2: does not depend on AC-1', 'AC-2'],
    ['- AC-1: a\n- AC-2: no longer depends on AC-1', 'AC-2'],
    ['- AC-1: a\n- AC-2: looks like AC-1', 'AC-2'],
    ['- AC-1: a\n- AC-2: depends on ISO-9001', 'AC-2'],
    ['- AC-2: depends on AC-2\n- AC-1: a', 'AC-2'],
    ['- US-3: a\n- US-4: depends on S3', 'US-4'],
    ['- T-1: a\n- T-2: depends on Task 1', 'T-2 <- S1'],
  ])('%j', (text, last) => {
    expect(order(text).at(-1)).toBe(`S2 ${last}`)
  })

  test('numbers that begin anew below a heading are no ids, and a list of tests repeats none', () => {
    expect(order('## A\n- [ ] 1. Dig\n\n## B\n- [ ] 1. Sow')).toEqual(['S1 1', 'S2 line 5'])
    expect(order('- AC-1: a\n\n## Test matrix\n\n| AC | Test |\n|-|-|\n| AC-1 | a.test.ts |')).toEqual(['S1 AC-1'])
  })

  test('an overview is no second definition, whichever comes first', () => {
    const rows = '## Requirements\n\n| ID | Title | Depends |\n|-|-|-|\n| FR-1 | Dig | FR-2 |\n| FR-2 | Sow | |'
    const headings = '## Details\n\n### FR-1 Dig\n- deep\n\n### FR-2 Sow\n- wide'
    for (const text of [`${rows}\n\n${headings}`, `${headings}\n\n${rows}`]) {
      expect(order(text)).toEqual(['S1 FR-2', 'S2 FR-1 <- S1'])
      expect(plan(text).stories[1]!.acceptance_criteria.map((one) => one.text)).toEqual(['Dig', 'deep'])
    }
  })

  test('what an overview says besides is kept, and phases that only list are no work', () => {
    const { stories, unmapped } = plan(
      '## Phase 1\n- T-1: Dig a deep hole\n\n## Tasks\n### T-1: Dig\n- by hand\n\n## Status\n| Task | Weeks |\n|-|-|\n| T-1 | 3 |',
    )
    const said = stories.map(({ acceptance_criteria }) => acceptance_criteria.map(({ text }) => text))
    expect([said, unmapped]).toEqual([[['Dig a deep hole', 'by hand']], []])
  })

  test('a title names what comes before, with or without commas, and unknown words name nothing', () => {
    const tasks =
      '## Tasks\n### Sow, then wait\n- Depends on: Dig and Buy seed\n### Dig\n### Buy seed\n- After: the snow\n'
    expect(order(`${tasks}### Reap\n- Depends on: Sow, then wait`)).toEqual([
      'S1 line 4',
      'S2 line 5',
      'S3 line 2 <- S1 S2',
      'S4 line 7 <- S3',
    ])
    expect(order('{"tasks": [{"title": "Sow", "dependsOn": ["Dig"]}, {"title": "Dig"}]}', 'a.json')).toEqual([
      'S1 line 1',
      'S2 line 1 <- S1',
    ])
  })

  test('a range means all of it', () => {
    expect(order('- T-1: a\n- T-2: b\n- T-3: c\n- T-4: d. Depends on T-1 to T-3').at(-1)).toBe('S4 T-4 <- S1 S2 S3')
  })
})

describe('each line lands once', () => {
  test('below its story, where it is named, under its heading; else in no story, whatever its number', () => {
    const { stories, unmapped } = plan(
      [
        '## Tasks',
        '- T-1 Build it (FR-7)',
        '  - it is red',
        '- T-2 Paint it',
        '## Requirements',
        '- FR-7: It stands',
        '- FR-8: It lasts',
        '## Acceptance Criteria',
        '- AC-7.1: It stands for a day',
        '- AC-3: Seen from T-2',
      ].join('\n\n'),
    )
    const where = stories.map(({ acceptance_criteria }) => acceptance_criteria.map(({ text }) => text))
    expect(where).toEqual([['it is red', 'It stands'], ['Seen from T-2']])
    expect(unmapped.map(({ id }) => id)).toEqual(['FR-8', 'AC-7.1'])
  })

  test('what several stories work for goes to the last of them', () => {
    const { stories } = plan('- T-1 a (FR-1)\n- T-2 b (FR-1)\n- T-3 c\n- FR-1: d')
    expect(stories.map(({ acceptance_criteria }) => acceptance_criteria.at(-1)!.text)).toEqual(['a (FR-1)', 'd', 'c'])
  })

  test('what a line of a story needs, the story needs', () => {
    expect(order('### US-1 a\n- AC-1: x. Depends on AC-2.\n\n### US-2 b\n- AC-2: y')).toEqual([
      'S1 US-2',
      'S2 US-1 <- S1',
    ])
  })

  test('two lines that name each other, and a hundred thousand in a row, find no story', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => `- AC-${index}: see AC-${index + 1}`)
    const { unmapped } = plan(
      ['- T-1 a', '- T-2 b', ...chain, '- AC-90000: see AC-90001', '- AC-90001: see AC-90000'].join('\n'),
    )
    expect(unmapped).toHaveLength(20_002)
  })
})

describe('a problem is one line', () => {
  const stories = Array.from({ length: 100_001 }, (_, index) => `- AC-${index}: a`).join('\n')
  test.each([
    ['nothing-found', /^no requirements found/, /Looked for: tasks .*user stories .*phases/, 'Hello.'],
    ['cycle', /AC-02 \(line 1\) -> AC-05 \(line 2\) -> AC-02$/, /./, '- AC-02: needs AC-05\n- AC-05: after AC-02'],
    ['unknown-dependency', /^line 3: .*AC-3/, /Did you mean AC-4/, '- AC-1: a\n- AC-4: b\n- AC-5: depends on AC-3'],
    ['unknown-dependency', /^line 3: .*X-9/, /Did you mean T-1/, '### T-1 a\n\nDepends: X-9'],
    ['duplicate-id', /^line 3: AC-01 .*line 1/, /another id/, '- AC-1: a\n\n- AC-01: b'],
    ['duplicate-id', /^line 4: FR-1 .*line 2/, /another id/, '## Requirements\n### FR-1: Dig\n\n### FR-1: Sow'],
    ['duplicate-id', /^line 4: T-1 .*line 3/, /another id/, '| ID | Title |\n|-|-|\n| T-1 | Dig |\n| T-1 | Sow |'],
    ['not-text', /line 2 contains a NUL/, undefined, '- [ ] a\n\0'],
    [
      'unreadable-json',
      /^not JSON: line 2, column 12: expected a key in double quotes/,
      undefined,
      '{"tasks": [\n  {"id": 1,}]}',
    ],
    ['unreadable-json', /line 1, column 12: expected a value, or "\]"/, undefined, '{"tasks": ['],
    ['unreadable-json', /^nested too deeply: .* expected at most 100 levels/, undefined, '[['.repeat(100_000)],
    ['too-big', /16 MiB/, undefined, 'a'.repeat(50_000_000)],
    ['too-big', /16 MiB/, undefined, 'é'.repeat(9_000_000)],
    ['too-big', /500000 lines/, undefined, '- - - - - - - - a\n'.repeat(900_000)],
    ['too-big', /100000 stories/, undefined, stories],
  ])('%s %s', (code, message, hint, text) => {
    const found = problem(text)
    expect(found.code).toBe(code)
    expect(found.message).toMatch(message)
    expect(found.message).not.toContain('\n')
    if (hint) expect(found.hint).toMatch(hint)
  })
})

describe('explanations', () => {
  test('say which line became which story, why then, and how the others got there', () => {
    const text = '- AC-1: a\n- AC-2: b\n- AC-0: c. Depends on AC-2.\n\n### Phase 1\n- Look at AC-1'
    const result = compilePlan(text, 'prd.md', proof)
    const said = result.ok ? result.explained.map(({ line, story, role, because }) => [line, story, role, because]) : []
    expect(said).toEqual([
      [1, 'S1', 'story', 'no dependencies'],
      [2, 'S2', 'story', 'no dependencies'],
      [3, 'S3', 'story', 'after S2 because of "Depends on AC-2" (line 3)'],
      [5, null, 'context', 'groups or describes stories'],
      [6, 'S1', 'criterion', 'names AC-1'],
    ])
  })
})

describe('commands', () => {
  test('all of every story, then those of its id or requirements, each once, with its id filled in', () => {
    const verification = {
      story_commands: ['a {story_id}', 'b'],
      run_commands: ['never'],
      by_requirement: { 'AC-01': ['c $& {story_id}', 'b'], S2: ['d'], 'AC-9': ['e'] },
    }
    expect(listStoryCommands('S2', ['AC-1'], verification)).toEqual(['a S2', 'b', 'c $& S2', 'd'])
    expect(listStoryCommands('S1', ['S2'], verification)).toEqual(['a S1', 'b', 'd'])
  })
})

describe('files', () => {
  test('are relative paths in code marks or fields, each once, and nothing that leads outside', () => {
    const text = [
      '### T-1 Work on `src/a.ts` and `./src/b.ts`, `src/a.ts` again, and src/c.py',
      '',
      'Not `/etc/passwd`, `../x.ts`, `a/../b.ts`, `https://example.org/x.js`, `npm test`, `~/x.ts`, `C:\\x.ts`, `and/or`.',
      '',
      'Files: docs/, `Makefile.toml`, ..\\x.ts, /root/x.ts',
    ].join('\n')
    expect(plan(text).stories[0]!.file_focus).toEqual(['src/a.ts', 'src/b.ts', 'src/c.py', 'docs/', 'Makefile.toml'])
  })
})
