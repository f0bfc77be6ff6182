import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unzip } from '../export/unzip.ts'
import { change, says } from '../support/novel.ts'
import { brief, design, draft, report, requirements, shelfFiles, tasks, tasksWithOverdue } from '../support/prd.ts'
import { newStudio } from '../support/studio.ts'
import { openRepl } from '../support/terminal.ts'

const answer = (text: string): string => `<answer>\n${text}</answer>`
const generates = [
  says.generate('Write brief.md', answer(brief)),
  says.generate('Write requirements.md', answer(requirements)),
  says.generate('Write design.md', answer(design)),
  says.generate('Write tasks.md', answer(tasks)),
]
const described = says.describe({
  changes: [change({ hunks: ['h1'], units: ['u1'], type: 'add', title: 'A story for overdue tools' })],
})
const iterates = [
  says.write({ 'tasks.md': tasksWithOverdue }),
  says.judge('approved', 'Late tools have a story now.'),
  described,
]
const feedback = 'Add a story that shows what is overdue'

test('a product goes from its brief to tasks that pawl deliver reads unedited', async () => {
  const studio = newStudio({}, [...generates, ...iterates])
  const repl = openRepl(studio, ['write'], 'pawl')
  await repl.say('> ', '/new Tool shelf')
  await repl.say('What is it? (novel/prd): ', 'prd')
  await repl.say('Who will use it? ', 'Tenants of one house')
  await repl.say('What should be built, in a sentence or a page? ', 'A list of who has borrowed which tool')
  await repl.sees('Next: /generate brief')
  await repl.say('> ', `/model ${studio.model}`)
  for (const [level, done] of Object.entries({ brief: 'Brief', requirements: 'Requirements', design: 'Design' })) {
    await repl.say('> ', `/generate ${level}`)
    await repl.sees(`✓ ${done} generated\n[Iteration target: ${level}]`)
  }
  await repl.say('> ', '/generate tasks')
  await repl.sees('  • Context: brief, requirements, design\n')
  await repl.sees('✓ Tasks generated\n[Iteration target: tasks]')
  await repl.say('> ', feedback)
  await repl.sees('"Late tools have a story now."')
  await repl.say('skip): ', 'tasks')
  await repl.sees('### US-4: Show what is overdue')
  await repl.say('skip): ', 'skip')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.sees(`  ✓ Git commit: "[tasks] ${feedback}"`)
  await repl.say('> ', '/exit')
  await repl.ended
  // A level without a context has no line for it.
  expect(repl.screen()).not.toMatch(/Context: *\n/)

  const written = ['brief/brief', 'requirements/requirements', 'design/design', 'tasks/tasks']
  expect(written.map((path) => studio.read(`tool-shelf/${path}.md`))).toEqual([
    brief,
    requirements,
    design,
    tasksWithOverdue,
  ])
  const given = studio.prompts().find(({ prompt }) => prompt.includes('Write tasks.md'))!.prompt
  for (const text of [brief, requirements, design]) expect(given).toContain(text.trim())
  expect(given).toContain('A list of who has borrowed which tool')

  const before = studio.git('rev-parse', 'HEAD')
  const { code, text } = await studio.pawl([
    'deliver',
    'tool-shelf/tasks/tasks.md',
    '--dry-run',
    '--verify',
    'npm test -- {story_id}',
  ])
  expect(code).toBe(0)
  expect(text.split('\n').slice(0, 5)).toEqual([
    'tool-shelf/tasks/tasks.md: 4 stories',
    '  S1  Borrow a tool         US-1',
    '  S2  List the tools        US-2  after S1',
    '  S3  Bring a tool back     US-3  after S1',
    '  S4  Show what is overdue  US-4  after S2, S3',
  ])
  expect([studio.git('rev-parse', 'HEAD'), studio.git('status', '--short')]).toEqual([before, ''])
})

test('a draft of somebody else is split into the levels by its headings, and nothing of it is lost', async () => {
  const studio = newStudio({ 'drafts/key cabinet.md': draft, 'drafts/empty.md': ' \n' }, [])
  const text = await studio.type(
    ['/new keys', 'prd', 'The office', 'Who has which key'],
    ['/import', '/import nothing.md', '/import drafts/empty.md', '/import drafts/key cabinet.md', 'no'],
    ['/import drafts/key cabinet.md', 'yes', '/status', '/import drafts/key cabinet.md'],
  )
  expect(text).toContain('[Error: Name the file of the draft: /import draft.md]')
  expect(text).toContain('[Error: there is no file nothing.md]')
  expect(text).toContain('The draft is empty.\nBy their headings')
  expect(text).toContain(
    'By their headings: "Background" to brief, "Functional requirements" to requirements, "Architecture"\nto design, "Milestones" to tasks.',
  )
  expect(text).toContain('To brief, for no level has such a heading: Key cabinet, Appendix on colours.')
  expect(text).toContain('✓ Imported 4 files\n[Iteration target: tasks]')
  // What they were made from is not known.
  expect(text).toMatch(/^requirements +unknown +1 file$/m)
  expect(text).toContain(
    '[Error: brief.md exists already, and 4 files would be overwritten]\nCull the level first: /cull',
  )
  expect(studio.subjects().slice(0, 2)).toEqual(['[import] key cabinet.md', '[project] New project keys'])
  const levels = ['brief', 'requirements', 'design', 'tasks']
  const lines = levels.flatMap((level) => studio.read(`keys/${level}/${level}.md`).split('\n'))
  const words = (all: readonly string[]): string[] => all.filter((line) => line !== '').sort()
  expect(words(lines)).toEqual(words(draft.split('\n')))
})

test('a report is saved and committed, and an aspect that does not exist is named', async () => {
  const studio = newStudio(shelfFiles, [{ when: ['<report>'], reply: `Here you are.\n<report>\n${report}</report>` }])
  const text = await studio.type('/analyze', '/analyze covrage', '/analyze coverage Look at late tools', '/status')
  expect(text).toContain('Aspects:\n  /analyze coverage: Which goals have no requirement')
  expect(text).toContain('[Error: there is no aspect covrage]')
  expect(text).toContain('[Analyzing coverage...]\n  • Context: brief, requirements, design, tasks\n')
  expect(text).toContain('✓ Report saved: analysis/coverage.md')
  expect(text).toMatch(/^analysis +fresh +1 file$/m)
  expect(studio.read('tool-shelf/analysis/coverage.md')).toBe(report)
  expect(studio.git('show', '--name-only', '--format=%s').split('\n')).toEqual([
    '[analysis] Report on coverage: Look at late tools',
    '',
    'tool-shelf/analysis/coverage.md',
    'tool-shelf/analysis/sources.json',
  ])
  const { prompt } = studio.prompts()[0]!
  for (const part of ['Which goals have no requirement', 'Look at late tools', tasks.trim()])
    expect(prompt).toContain(part)
})

test('the four texts are exported as Markdown and as a Word document, and an export is nobody’s edit', async () => {
  const studio = newStudio(shelfFiles, iterates)
  const text = await studio.type(
    ['/export', '/export docx', '/export md for-print/shelf.md', '/export pdf'],
    ['/iterate tasks', feedback, 'skip', 'yes'],
  )
  const [exports, folder] = [join(studio.studio, 'tool-shelf', 'exports'), join(studio.studio, 'for-print')]
  for (const path of [join(exports, 'tool-shelf.md'), join(exports, 'tool-shelf.docx'), join(folder, 'shelf.md')])
    expect(text).toContain(`✓ Exported 4 files to ${path}`)
  expect(text).toContain('[Error: cannot export pdf]\nFormats: md, docx')
  const exported = readFileSync(join(exports, 'tool-shelf.md'), 'utf8')
  for (const text of [brief, design, tasks]) expect(exported).toContain(text.trim())
  expect(readFileSync(join(folder, 'shelf.md'), 'utf8')).toBe(exported)
  const document = unzip(readFileSync(join(exports, 'tool-shelf.docx'))).get('word/document.xml')!.text
  for (const part of ['US-2: List the tools', 'ends within one second.']) expect(document).toContain(part)
  expect(text).toContain('✓ Iteration complete')
  expect(text).not.toContain('Your own edits')
  expect(studio.git('status', '--short')).toBe('?? for-print/')
})

test('a level is culled in one commit, and /undo and /redo take it back and again', async () => {
  const studio = newStudio(shelfFiles)
  const file = join(studio.studio, 'tool-shelf', 'design', 'design.md')
  const repl = openRepl(studio, ['write'], 'pawl')
  await repl.say('> ', '/cull')
  await repl.sees('[Error: Name a level: brief, requirements, design, tasks, analysis]')
  await repl.say('> ', '/cull analysis')
  await repl.sees('[Error: there is nothing to cull in analysis]')
  await repl.say('> ', '/redo')
  await repl.sees('There is nothing to redo.')
  await repl.say('> ', '/cull design')
  await repl.say('  design/design.md\nDelete design (1 file)? (yes/no): ', 'no')
  await repl.say('> ', '/cull design')
  expect(existsSync(file)).toBe(true)
  await repl.say('(yes/no): ', 'yes')
  await repl.sees('✓ Design culled (1 file deleted). To bring it back: /undo')
  expect(existsSync(file)).toBe(false)
  await repl.say('> ', '/undo')
  await repl.sees('✓ Undo: [cull] design (1 file)\n  design/design.md\nTo bring it back: /redo')
  expect(readFileSync(file, 'utf8')).toBe(design)
  await repl.say('> ', '/redo')
  await repl.sees('✓ Redo: [cull] design (1 file)\n  design/design.md\nTo take it back again: /undo')
  expect(existsSync(file)).toBe(false)
  await repl.say('> ', '/redo')
  await repl.sees('There is nothing to redo.')
  await repl.say('> ', '/exit')
  await repl.ended
  expect(studio.subjects()).toEqual(['Redo: [cull] design', 'Undo: [cull] design', '[cull] design', 'Import'])
  expect(studio.git('status', '--short')).toBe('')
})

test('an iteration can be undone and redone, and the history follows', async () => {
  const studio = newStudio(shelfFiles, iterates)
  const text = await studio.type(
    ['/iterate tasks', feedback, 'skip', 'yes'],
    ['/undo', '/history', '/redo', '/history', '/undo', '/redo', '/redo'],
  )
  const [, ...after] = text.split(/^Tasks: /m)
  expect(after[0]).toMatch(/^0 iterations\n/)
  expect(after[1]).toMatch(
    /^1 iteration\n {2}1\. [\d-]+ [\d:]+ {2}[0-9a-f]{7} {2}1 attempt, approved, 1 file, ±13 lines\n/,
  )
  expect(text).toContain('There is nothing to redo.')
  expect(studio.read('tool-shelf/tasks/tasks.md')).toBe(tasksWithOverdue)
})

test('statistics count what was accepted and rejected, and the history has the newest first', async () => {
  const studio = newStudio(shelfFiles, [
    says.write({ 'tasks.md': tasks.replace('No network.', 'No net.') }, { tokens: 900, cost_usd: 0.01 }),
    says.judge('needs_revision', 'There is no story for late tools.', { tokens: 100 }),
    says.write({ 'tasks.md': tasksWithOverdue }, { tokens: 1000, cost_usd: 0.02 }),
    says.judge('approved', 'Late tools have a story now.', { tokens: 100 }),
    { ...described, again: true },
    says.write({ 'tasks.md': tasksWithOverdue.replace('one house', 'our house') }),
    says.judge('approved', 'Our house.'),
    says.write({ 'tasks.md': tasksWithOverdue.replace('Reservations', 'Deposits') }),
    says.judge('approved', 'Deposits.'),
  ])
  const text = await studio.type(
    ['/stats', '/history', '/iterate tasks', feedback, 'yes', 'skip', 'yes'],
    ['Say our house', 'skip', 'yes', 'Rename reservations', 'skip', 'no'],
    ['/stats', '/history', '/history brief', '/history storys'],
  )
  const [, first, second] = text.split(/^Iterations: /m)
  expect(first).toMatch(/^0 accepted, 0 rejected\nSpent: 0 tokens, \$0\.0000\nTasks: 0 iterations\n/)
  expect(second).toContain(`2 accepted, 1 rejected
Attempts until approval: 1.5 on average
  tasks: 2 accepted iterations, 67 % of the finished ones
By kind of feedback:
  other: 1 iteration, 1.0 attempts, 100 % approved at once
  add: 1 iteration, 2.0 attempts, 0 % approved at once
Spent: 2,100 tokens, $0.0300
`)
  const history = second!.slice(second!.indexOf('Tasks: 2 iterations'))
  expect(history).toMatch(/^Tasks: 2 iterations\n {2}2\. .*\n {5}"Say our house"\n.*\n {2}1\. .* 2 attempts, approved/)
  expect(history).toContain('Brief: 0 iterations')
  expect(history).toContain('[Error: Name a level: brief, requirements, design, tasks, analysis]')
  const why = await studio.pawl(['why', 'tool-shelf'])
  expect(why.text).toMatch(/^ {2}asked {2}Rename reservations\n {2}judge {2}approved: Deposits\.\n {2}spent {2}/m)
})
