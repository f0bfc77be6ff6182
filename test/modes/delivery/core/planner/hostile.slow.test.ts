import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compilePlan } from '../../../../../src/modes/delivery/core/planner/compile.ts'
import { sampled } from '../../../../support/sample.ts'
import { plan, proof } from './planned.ts'

const kibibyte = 1 << 10
const pieces =
  '*|`|_|[|(|-|.| |a|1|:|#|~|/|\t|é|✅ |A1|a-|A-1.|_a|aA|<!--|-->|**a**|1.|no |/a|a/|, |](|AC-1 |depends on |depends on AC-1, |not depends on |after |Given |as a |task 1 |[US1] |T1-|<td>|<tr>|<li>|<h1 |<h1>|&amp;|1. A\n|**aaa**\n|Feature: |@a\n|<a>|</a>|<a>\n|→|T1 → |~~|> |**Files:**\n|none '.split(
    '|',
  )
const wheres: readonly (readonly [string, (text: string) => string])[] = [
  ['a line', (text) => `- [ ] ${text}`],
  ['a heading', (text) => `## Tasks\n\n### ${text}`],
  ['a paragraph', (text) => `### AC-1 a\n\n${text}`],
  ['a cell', (text) => `## Tasks\n\n|ID|Title|Depends|\n|-|-|-|\n|T-1|${text}|${text}|`],
  ['a field', (text) => `### T-1 a\n\n- Depends: ${text}\n- Files: ${text}`],
  ['a block of HTML', (text) => `## Tasks\n\n<table><tr><th>${text}<tr><td>${text}\n\n<ul><li>${text}`],
  ['one id many times', (text) => `## Tasks\n\n|ID|Title|\n|-|-|\n|T-1|a|\n\n### T-1 ${text}`],
  ['a text in JSON', (text) => JSON.stringify({ tasks: [{ id: 1, title: text, details: text }] })],
]

describe('four times as much of one thing takes about four times as long', () => {
  const costOf = (text: string): number => {
    const began = process.cpuUsage()
    compilePlan(text, 'prd.md', proof)
    return process.cpuUsage(began).user
  }
  /** Below this it is noise. What grows with the square would take sixteen times as long. */
  const leastMicroseconds = 50_000

  test.each(wheres)('in %s', (_, put) => {
    for (const piece of sampled(pieces, 3)) {
      const sized = (size: number): string => put(piece.repeat(size / piece.length))
      const [less, more] = [costOf(sized(128 * kibibyte)), costOf(sized(512 * kibibyte))]
      expect([piece, more < 9 * Math.max(less, leastMicroseconds)]).toEqual([piece, true])
    }
  })
})

describe('whatever a PRD calls things', () => {
  const evil = '../../etc/passwd; rm -rf / $(id) `id` \u001b[31m\u202e\u0007 __proto__'

  test('stories are S1 to Sn, and titles are one plain line', () => {
    const { stories } = plan(`## Tasks\n\n- ${evil}\n- T-1: ${evil}\n- **__proto__**: x\n- constructor: y`)
    expect(stories.map(({ id }) => id)).toEqual(['S1', 'S2', 'S3', 'S4'])
    for (const { title, acceptance_criteria } of stories) {
      for (const text of [title, ...acceptance_criteria.map(({ text }) => text)])
        expect(text).not.toMatch(/[\p{Cc}\u202e]/u)
    }
  })

  test('no key of JSON is special', () => {
    const { stories } = plan(
      '{"__proto__": {"tasks": [{"id": "constructor", "title": "x", "__proto__": {"id": 7}}]}}',
      'a.json',
    )
    expect(stories.map(({ source, title }) => [source.id, title])).toEqual([['constructor', 'x']])
    expect(({} as Record<string, unknown>).tasks).toBeUndefined()
  })

  test('lengths are bounded', () => {
    const { stories } = plan(`- [ ] ${'word '.repeat(100_000)}\n  - ${'x'.repeat(100_000)}`)
    expect(stories[0]!.title.length).toBeLessThanOrEqual(120)
    for (const { text } of stories[0]!.acceptance_criteria) expect(text.length).toBeLessThanOrEqual(20_000)
  })

  test('a hundred thousand headings and lists in lists are read', () => {
    expect(plan(Array.from({ length: 50_000 }, (_, index) => `# AC-${index}: a\n`).join('\n')).stories).toHaveLength(
      50_000,
    )
    const deep = Array.from({ length: 2000 }, (_, index) => `${'  '.repeat(index)}- [ ] a`).join('\n')
    expect(plan(deep).stories.length).toBeGreaterThan(0)
  })
})

test('zone, language and folder change no byte', () => {
  const source = join(import.meta.dirname, '../../../../../src/modes/delivery/core/planner')
  const script = `
    import { compilePlan } from ${JSON.stringify(join(source, 'compile.ts'))}
    import { formatPlan } from ${JSON.stringify(join(source, 'story.ts'))}
    const text = '- AC-10: ä\\n- AC-9: z\\n- AC-1: I i ı İ, depends on AC-9\\n- ZC-1: b\\n- ÄC-1: c\\n\\n## Tasks\\n- ö\\n- z\\n- a'
    const { plan } = compilePlan(text, 'prd.md', { story_commands: ['npm test'], run_commands: [] })
    process.stdout.write(formatPlan(plan))`
  const under = (env: Record<string, string>, cwd: string): string => {
    const done = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, cwd, encoding: 'utf8' })
    expect(done.stderr).toBe('')
    return done.stdout
  }
  const here = under({ TZ: 'UTC', LANG: 'C' }, '/')
  expect(here).toContain('"S1"')
  expect(under({ TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }, '/tmp')).toBe(here)
})
