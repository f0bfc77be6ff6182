import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { RunInput } from '../../../src/modes/delivery/contract/input.ts'
import { Plan } from '../../../src/modes/delivery/contract/plan.ts'
import { DeliveryResult } from '../../../src/modes/delivery/contract/result.ts'
import { type Files, scratch } from '../../setup/init/fixture.ts'

const program = (name: string): string => fileURLToPath(new URL(`../../../bin/${name}`, import.meta.url))
const prd =
  '# Kiosk\n\n## Acceptance Criteria\n\n- **AC-1:** It sells in `src/sell.ts`. Depends on AC-2.\n- **AC-2:** It opens\n'

function newRepo(files: Files = {}) {
  const here = scratch({
    'PRD.md': prd,
    'package.json': JSON.stringify({ scripts: { test: 'exit 0', lint: 'x' } }),
    ...files,
  })
  const env = { ...here.environment.env, TZ: 'UTC', LANG: 'C.UTF-8' } as Record<string, string>
  execFileSync('git', ['init', '-q', '-b', 'trunk', here.repo], { env })
  const call = (name: string, ...words: string[]) => {
    const {
      status: code,
      stdout: out,
      stderr: err,
    } = spawnSync(program(name), words, { cwd: here.repo, env, encoding: 'utf8' })
    return { code, out, err }
  }
  const read = (path: string): unknown => JSON.parse(fs.readFileSync(join(here.repo, path), 'utf8'))
  return { ...here, call, read, has: (path: string) => fs.existsSync(join(here.repo, path)) }
}

test('a person sees stories, their order, files and proof, and nothing is written', () => {
  const { call, repo } = newRepo()
  const before = fs.readdirSync(repo)
  const { code, out, err } = call('pawl', 'plan', 'PRD.md')
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(`2 stories from the acceptance criteria of PRD.md (markdown)

S1  AC-2: It opens
    line 6, 1 criterion
    proof  npm test

S2  AC-1: It sells in \`src/sell.ts\`. Depends on AC-2.
    line 5, 1 criterion, after S1
    files  src/sell.ts
    proof  npm test
`)
  const why = call('pawl', 'plan', 'PRD.md', '--explain', '--verify', 'make {story_id}').out
  expect(why).toContain('proof  make S2\n')
  expect(why).toMatch(/line 5 {2}AC-1: It sells.* is S2: after S1 because of "Depends on AC-2" \(line 5\)\n/)
  expect(fs.readdirSync(repo)).toEqual(before)
})

test('with --json it is one object that keeps to the contract', () => {
  const { call } = newRepo()
  const { plan, explained } = JSON.parse(call('pawl', 'plan', 'PRD.md', '--json', '--explain').out)
  expect(Plan.parse(plan).stories).toHaveLength(2)
  expect(explained).toMatchObject([
    { line: 1, role: 'context' },
    { line: 3, role: 'context' },
    { line: 5, id: 'AC-1', story: 'S2', role: 'story' },
    { line: 6, id: 'AC-2', story: 'S1', role: 'story' },
  ])
})

test('it says how many lines are ignored, --explain says which and why, and so do plan.json and programs', () => {
  const { call, write, read } = newRepo({
    'PRD.md': `${prd}\n## Wünsche\n\n- bunt\n- schnell\n\n## Out of scope\n\n- gold\n`,
  })
  expect(call('pawl', 'plan', 'PRD.md').out).toMatch(/\n\n3 lines of PRD\.md ignored: pawl plan PRD\.md --explain\n$/)
  const { out } = call('pawl', 'plan', 'PRD.md', '--explain')
  expect(out).toContain('  line 8  Wünsche  is IGNORED: an unknown heading\n')
  expect(out).toContain('  line 10  bunt  is IGNORED: no id or checkbox under the unknown heading "Wünsche"\n')
  expect(out).toContain('  line 15  gold  is excluded: under "Out of scope"\n')
  write({ 'in.json': call('pawl', 'plan', 'PRD.md', '--print-input').out })
  const told = JSON.parse(call('pawl', 'plan', '--input', 'in.json', '--out-dir', 'out', '--json').out)
  expect(told).toMatchObject({ stories: 2, ignored_lines: 3 })
  const { ignored, context } = Plan.parse(read('out/plan.json'))
  expect(ignored?.map(({ line, end_line }) => [line, end_line])).toEqual([
    [8, 8],
    [10, 11],
  ])
  expect(context).toEqual([{ topic: 'non-goals', text: '## Out of scope\n\n- gold', line: 13, end_line: 15 }])
})

test('what --print-input prints is a run input, and plans to the same bytes under either name', () => {
  const { call, write, read, repo } = newRepo({ 'docs/': '' })
  const { code, out } = call('pawl', 'plan', 'PRD.md', '--print-input')
  expect(code).toBe(0)
  const input = RunInput.parse(JSON.parse(out))
  expect(input).toMatchObject({ repo_path: repo, prd_path: 'PRD.md', base_branch: 'trunk', working_branch: 'trunk' })
  expect(input.verification).toEqual({ story_commands: ['npm test'], run_commands: ['npm run lint', 'npm test'] })
  write({ 'in.json': out })
  expect(call('santiago', 'plan', '--input', 'in.json', '--out-dir', 'out/one')).toMatchObject({ code: 0, err: '' })
  expect(call('pawl', 'plan', '--input', 'in.json', '--out-dir', 'out/two').code).toBe(0)
  expect(fs.readdirSync(join(repo, 'out/one'))).toEqual(['plan.json'])
  expect(fs.readFileSync(join(repo, 'out/one/plan.json'))).toEqual(fs.readFileSync(join(repo, 'out/two/plan.json')))
  expect(Plan.parse(read('out/one/plan.json')).stories.map(({ source }) => source.id)).toEqual(['AC-2', 'AC-1'])
})

test.each([
  ['of this repository', (gates: string): Files => ({ '.pawl/config.yml': gates })],
  ['of the person', (gates: string): Files => ({ '../home/.config/pawl/config.yml': gates })],
  ['of deliveries', (gates: string): Files => ({ '.pawl/config.yml': `procedures:\n  deliver:\n    ${gates}` })],
])('gates in the configuration %s prove the stories, as for deliver', (_, config) => {
  const { call } = newRepo({ ...config('gates: ["make check", "make {story_id}"]\n'), 'docs/PRD.md': prd })
  const { code, out, err } = call('pawl', 'plan', 'docs/PRD.md')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('proof  make check\n    proof  make S2\n')
  const planned = JSON.parse(call('pawl', 'plan', 'docs/PRD.md', '--json').out)
  const { dry_run } = JSON.parse(call('pawl', 'deliver', 'docs/PRD.md', '--dry-run', '--json').out)
  expect(planned.plan).toEqual(dry_run.plan)
  const { verification } = JSON.parse(call('pawl', 'plan', 'docs/PRD.md', '--print-input').out)
  expect(verification).toEqual({ story_commands: ['make check', 'make {story_id}'], run_commands: ['make check'] })
  expect(call('pawl', 'plan', 'docs/PRD.md', '--verify', 'npm test').out).not.toContain('make')
})

test('a program gets only the commands of its input, whatever the configuration says', () => {
  const { call, write, read } = newRepo()
  write({ 'in.json': call('pawl', 'plan', 'PRD.md', '--print-input').out, '.pawl/config.yml': 'gates: [\n' })
  expect(call('pawl', 'plan', '--input', 'in.json', '--out-dir', 'out')).toMatchObject({ code: 0, err: '' })
  expect(Plan.parse(read('out/plan.json')).stories[0]!.verification).toEqual(['npm test'])
})

test('where no test is found, --print-input prints a command to replace, and says so; the input can be planned', () => {
  const { call, write } = newRepo({ 'package.json': '{}' })
  const { code, out, err } = call('pawl', 'plan', 'PRD.md', '--print-input')
  expect([code, err]).toEqual([0, expect.stringMatching(/^Found no command .* Replace the one in story_commands.*\n$/)])
  expect(RunInput.parse(JSON.parse(out)).verification.story_commands).toEqual([
    expect.stringMatching(/^false # replace/),
  ])
  write({ 'in.json': out })
  expect(call('pawl', 'plan', '--input', 'in.json', '--out-dir', 'out').code).toBe(0)
})

test('a phase that has its id in its title is shown with it once', () => {
  const { call } = newRepo({ 'PRD.md': '## Phase 1 (MVP)\n- a\n\n## Phase 2: Web\n- b\n' })
  const { out } = call('pawl', 'plan', 'PRD.md', '--explain')
  expect(out).toContain('\nS1  Phase 1 (MVP)\n')
  expect(out).toContain('\nS2  Phase 2: Web\n')
  expect(out).not.toMatch(/(Phase \d): \1/)
})

test('a PRD that cannot be planned: exit 30, what to do, and result.json; a plan takes it back', () => {
  const { call, write, read, has } = newRepo()
  write({ 'in.json': call('pawl', 'plan', 'PRD.md', '--print-input').out })
  write({ 'PRD.md': '- AC-1: after AC-2\n- AC-2: after AC-1\n' })
  const { code, out, err } = call('santiago', 'plan', '--input', 'in.json', '--out-dir', 'out')
  expect([code, out]).toEqual([30, ''])
  expect(err).toMatch(/^santiago: PRD\.md: .*AC-1 \(line 1\) -> AC-2 \(line 2\) -> AC-1\nRemove one .*\n$/)
  expect(DeliveryResult.parse(read('out/result.json'))).toMatchObject({
    status: 'failed',
    reason: 'plan_generation_failed',
    next_action: 'fix_spec',
    exit: 30,
    error: { code: 'cycle' },
  })
  expect(has('out/plan.json')).toBe(false)
  write({ 'PRD.md': prd })
  expect(call('santiago', 'plan', '--input', 'in.json', '--out-dir', 'out').code).toBe(0)
  expect([has('out/plan.json'), has('out/result.json')]).toEqual([true, false])
})

test.each([
  ['an input that is no input', { 'in.json': '{"contract_version": 2}' }, /in\.json/],
  ['a PRD that is not there', { 'PRD.md': undefined }, /no such file/],
  ['a PRD that is no text', { 'PRD.md': Buffer.from([0x2d, 0x20, 0xff, 0xfe]) }, /not UTF-8 text/],
])('%s ends with 30 and a result', (_, files, says) => {
  const { call, repo, read, write } = newRepo()
  write({ 'in.json': call('pawl', 'plan', 'PRD.md', '--print-input').out })
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) fs.rmSync(join(repo, path))
    else fs.writeFileSync(join(repo, path), content)
  }
  const { code, err } = call('pawl', 'plan', '--input', 'in.json', '--out-dir', 'out')
  expect([code, err.split('\n')[0]]).toEqual([30, expect.stringMatching(says)])
  expect(DeliveryResult.parse(read('out/result.json'))).toMatchObject({ reason: 'plan_generation_failed', exit: 30 })
})

test('a PRD that leads out of the repository is not read', () => {
  const { call, repo, root, write } = newRepo()
  fs.writeFileSync(join(root, 'secret.md'), prd)
  write({ 'in.json': call('pawl', 'plan', 'PRD.md', '--print-input').out })
  fs.rmSync(join(repo, 'PRD.md'))
  fs.symlinkSync('../secret.md', join(repo, 'PRD.md'))
  const { code, err } = call('pawl', 'plan', '--input', 'in.json', '--out-dir', 'out')
  expect([code, err]).toEqual([30, expect.stringContaining('outside the repository')])
})

test('it takes a PRD or an input, not both and not neither', () => {
  const { call } = newRepo()
  for (const words of [[], ['PRD.md', '--input', 'in.json'], ['--input', 'in.json']])
    expect([words, call('pawl', 'plan', ...words).code]).toEqual([words, 2])
})
