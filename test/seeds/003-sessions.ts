import * as fs from 'node:fs'
import { join } from 'node:path'
import { computeDiff } from '../../src/modes/writing/core/diff/compute.ts'
import { findLevel, listLevelFiles } from '../../src/modes/writing/core/level/levels.ts'
import { listDownstream } from '../../src/modes/writing/core/level/relations.ts'
import { builtInTypesFolder, loadType } from '../../src/modes/writing/project/types.ts'
import { beats, change, file, foundation, newNovel, premise, says, treatment } from '../modes/writing/support/novel.ts'
import { openRepl } from '../modes/writing/support/terminal.ts'

// Plays the workflow and the three sessions of seed 003 at a real pseudo-terminal, with the scripted model.

export type Played = {
  readonly program: string
  readonly screen: string
  /** With everything that was redrawn. */
  readonly raw: string
  /** The files of the last commit. */
  readonly lastFiles: readonly string[]
  prompts(step: keyof typeof systems): string[]
  temperatures(step: keyof typeof systems): number[]
  before(path: string): string
  after(path: string): string
  list(folder: string): string[]
  readonly commits: readonly string[]
  readonly trailer: string
  /** Lines added and removed by the commit, as git counts them. */
  readonly numstat: number
  readonly debugFolder: string
  readonly debug: readonly string[]
  readDebug(name: string): string
  readonly debugDecisions: readonly string[]
  readonly atApproval: string
  readonly afterUndo: string
}

/** How each prompt is recognized. */
const systems = {
  plan: 'You decide which files have to change',
  write: 'You revise a written work',
  generate: 'You write one step of a work',
  outline: 'You divide a story',
  judge: 'strict and fair developmental editor',
  describe: 'tells an author what a revision has changed',
} as const

const { type } = loadType('novel', [builtInTypesFolder()])

/** The levels of a novel that feedback can be given for. */
export const novelType = () =>
  type.levels
    .filter(({ leaf }) => !leaf)
    .map(({ id, folder, file: name, series, context }) => ({
      id,
      folder,
      file: name,
      lead: series?.lead,
      context,
      downstream: listDownstream(type, id)
        .filter(({ leaf }) => !leaf)
        .map((level) => level.id),
    }))

type Novel = ReturnType<typeof newNovel>
type Repl = ReturnType<typeof openRepl>

async function finish(
  novel: Novel,
  repl: Repl,
  texts: ReadonlyMap<string, string>,
  more: Partial<Played> = {},
): Promise<Played> {
  await repl.say('> ', '/exit')
  await repl.ended
  const debugRoot = join(novel.studio, '.agentic', 'debug', novel.name)
  const folders = fs.existsSync(debugRoot) ? fs.readdirSync(debugRoot).sort() : []
  const newest = folders.findLast((name) => name.startsWith('iteration_chapters')) ?? folders.at(-1) ?? ''
  return {
    program: 'agentic',
    screen: repl.screen(),
    raw: repl.raw(),
    lastFiles: novel.git('show', '--name-only', '--format=', 'HEAD').split('\n'),
    prompts: (step) => novel.calls(systems[step]).map(({ prompt }) => prompt),
    temperatures: (step) => novel.calls(systems[step]).map(({ temperature }) => temperature),
    before: (path) => texts.get(path) ?? '',
    after: (path) => (fs.existsSync(join(novel.folder, path)) ? novel.read(path) : ''),
    list: (folder) =>
      fs.existsSync(join(novel.folder, folder)) ? fs.readdirSync(join(novel.folder, folder)).sort() : [],
    commits: novel.git('log', '--format=%s').split('\n'),
    trailer: novel.git('log', '-1', '--format=%(trailers:key=Iteration-Id,valueonly)').trim(),
    numstat: 0,
    debugFolder: join('.agentic', 'debug', novel.name, newest),
    debug: newest === '' ? [] : fs.readdirSync(join(debugRoot, newest)).sort(),
    readDebug: (name) => fs.readFileSync(join(debugRoot, newest, name), 'utf8'),
    debugDecisions: folders.flatMap((name) => {
      const path = join(debugRoot, name, 'user_decision.txt')
      return fs.existsSync(path) ? [fs.readFileSync(path, 'utf8').trim()] : []
    }),
    atApproval: '',
    afterUndo: '',
    ...more,
  }
}

/** All files of the project, by path. */
function readAll({ folder }: Novel): ReadonlyMap<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    names.map((entry) => {
      const full = join(entry.parentPath, entry.name)
      return [full.slice(folder.length + 1), fs.readFileSync(full, 'utf8')]
    }),
  )
}

/** The ids of units and hunks that a revision of the chapters will have. */
function idsOf(texts: ReadonlyMap<string, string>, changed: Readonly<Record<string, string>>, target = 'chapters') {
  const level = findLevel(type, target)!
  const own = [...texts].filter(([path]) => path.startsWith(`${level.folder}/`))
  const before = new Map(own)
  const after = new Map([
    ...own,
    ...Object.entries(changed).map(([name, text]) => [`${level.folder}/${name}`, text] as const),
  ])
  const files = listLevelFiles(level, [...after.keys()])
  const { units, hunks } = computeDiff({
    units: files.map(({ path, kind, label }) => ({ path, kind, label, format: level.format })),
    before,
    after,
  })
  return (name: string) => {
    const unit = units.find(({ path }) => path === `${level.folder}/${name}`)!
    return { units: [unit.id], hunks: hunks.filter((hunk) => hunk.unit === unit.id).map(({ id }) => id) }
  }
}

const dark = `${beats(3, 'nightmarish')
  .replace(
    '- The watch arrives',
    '- Marcus must choose between two bad ends and betrays the watch -> he becomes what he fought\n- The watch arrives',
  )
  .replace('Unease, because', 'Dread and shame of what he has done, because')}`

const history = [
  ['2025-10-23T19:15:00Z', 'More bells', 'Bells added to every chapter.'],
  ['2025-10-23T19:10:00Z', 'Add redemption arc in act 3', 'Added redemption arc: chapters 11-15 modified.'],
  ['2025-10-23T19:00:00Z', 'Make protagonist more flawed', 'Protagonist changes: added hubris and self-doubt.'],
].map(([timestamp, feedback, semantic_summary]) => ({
  timestamp,
  feedback,
  judge_attempts: 1,
  judge_verdict: 'approved',
  judge_reasoning: 'Well integrated.',
  semantic_summary,
  commit_sha: 'abc123f',
  files_changed: 8,
  lines_changed: 94,
}))

export async function playFullWorkflow(): Promise<Played> {
  const novel = newNovel({ prose: 8, reports: 3 })
  novel.write('chapter-beats/iteration_history.json', JSON.stringify({ iterations: history }, null, 2))
  novel.git('add', '.')
  novel.git('commit', '-q', '--amend', '--no-edit')
  const texts = readAll(novel)
  const calmer = (number: number): string => beats(number).replace('Unease, because', 'A quiet unease, because')
  const last = {
    'foundation.md': foundation('anti-hero'),
    [file(1)]: calmer(1),
    [file(2)]: beats(2).replace('The watch arrives', 'Marcus dreams of faces; the watch arrives'),
    [file(3)]: dark,
    [file(4)]: beats(4).replace('The watch arrives', 'Ilse no longer trusts him; the watch arrives'),
    [file(5)]: calmer(5),
    [file(6)]: calmer(6),
    [file(7)]: calmer(7),
  }
  const at = idsOf(texts, last)
  const minor = [1, 5, 6, 7].map((number) => at(file(number)))
  const plan = says.plan([{ name: file(3) }], { again: true })
  novel.setScript([
    { ...plan, again: false },
    says.write({ [file(3)]: beats(3, 'grey') }),
    says.judge('needs_revision', 'Chapter 3 tone is still optimistic. Needs nightmarish imagery and moral ambiguity.', {
      issues: ['Opening scene lacks darkness'],
      suggestions: ['Add nightmare or flashback opening'],
    }),
    { ...plan, again: false },
    says.write({ [file(3)]: beats(3, 'dim') }),
    says.judge(
      'needs_revision',
      'Improvement - darker imagery present. However, internal conflict feels superficial.',
      {
        issues: ['Internal conflict feels superficial'],
      },
    ),
    says.plan([
      { name: file(3) },
      ...['foundation.md', ...[1, 2, 4, 5, 6, 7].map(file)].map((name) => ({
        name,
        task: 'it must follow chapter 3',
        ripple: true,
      })),
    ]),
    says.write(last),
    says.judge('approved', 'Chapter 3 successfully darkened. Nightmare opening establishes tone.'),
    says.describe({
      changes: [
        change({
          ...at(file(3)),
          title: 'Complete rewrite for darker tone',
          locator: 'Opening',
          before: 'Marcus wakes in a hopeful morning',
          after: 'Marcus wakes from a nightmare and betrays the watch',
          facts: [{ entity: 'Chapter 3', attribute: 'tone', from: 'hopeful', to: 'nightmarish' }],
        }),
        change({
          ...at('foundation.md'),
          id: 'C2',
          magnitude: 'moderate',
          type: 'fact',
          title: 'Marcus is an anti-hero',
          facts: [{ entity: 'Protagonist', attribute: 'archetype', from: 'hero', to: 'anti-hero' }],
        }),
        change({
          ...at(file(2)),
          id: 'C3',
          magnitude: 'moderate',
          type: 'add',
          title: 'Foreshadowing',
          summary: 'Marcus dreams of faces.',
        }),
        change({
          ...at(file(4)),
          id: 'C4',
          magnitude: 'moderate',
          type: 'add',
          title: 'Consequences',
          summary: 'Ilse no longer trusts him.',
        }),
        change({
          id: 'C5',
          units: minor.flatMap(({ units }) => units),
          hunks: minor.flatMap(({ hunks }) => hunks),
          magnitude: 'minor',
          type: 'retone',
          title: 'Tone calibration for consistency',
        }),
      ],
      impact: {
        tone: { from: 'hopeful', to: 'nightmarish' },
        arcs: ['Redemption is harder-earned'],
        consistency: 'Maintained with the redemption arc',
      },
      risks: [{ text: 'Chapter 9 still expects a hero', severity: 'low' }],
      rationale: 'The darkness makes the redemption arc harder-earned.',
    }),
  ])
  const repl = openRepl(novel)
  await repl.say('> ', `/model ${novel.model}`)
  await repl.say('> ', '/iterate chapters')
  await repl.say('> ', 'Make chapter 3 darker with more internal conflict')
  await repl.say('cancel): ', 'cull-all')
  await repl.say('edit): ', 'yes')
  await repl.say('edit): ', 'yes')
  await repl.say('skip): ', 'chapter-3')
  await repl.say('summary: ', 'q')
  await repl.say('skip): ', 'skip')
  const atApproval = novel.read('chapter-beats/chapter-03.md')
  await repl.say('(yes/no/diff): ', 'diff')
  await repl.say('skip): ', 'skip')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.sees('Ready for next iteration.')
  const played = await finish(novel, repl, texts)
  const numstat = novel
    .git('show', '--numstat', '--format=', 'HEAD', '--', `${novel.name}/chapter-beats/*.md`)
    .split('\n')
    .reduce((sum, line) => sum + Number(line.split('\t')[0]) + Number(line.split('\t')[1]), 0)
  const frozen = { ...freeze(played), numstat, atApproval }
  const again = openRepl(novel)
  await again.say('> ', '/undo')
  await again.sees('To bring it back: /redo')
  await again.say('> ', '/exit')
  await again.ended
  return { ...frozen, afterUndo: novel.read('chapter-beats/chapter-03.md') }
}

/** Reads everything now: the next session changes the files. */
function freeze(played: Played): Played {
  const paths = ['chapter-beats/iteration_history.json', 'treatment/treatment.md', 'chapter-beats/foundation.md']
  const all = [...paths, ...Array.from({ length: 15 }, (_, at) => `chapter-beats/${file(at + 1)}`)]
  const texts = new Map(all.map((path) => [path, played.after(path)]))
  const lists = new Map(['chapters', 'analysis', 'chapter-beats'].map((folder) => [folder, played.list(folder)]))
  const debug = new Map(played.debug.map((name) => [name, played.readDebug(name)]))
  return {
    ...played,
    after: (path) => texts.get(path)!,
    list: (folder) => lists.get(folder)!,
    readDebug: (name) => debug.get(name)!,
  }
}

const outline = (count: number) => ({
  when: [systems.outline],
  reply: JSON.stringify({
    parts: Array.from({ length: count }, (_, at) => ({
      title: `Bell ${at + 1}`,
      summary: `The ${at + 1}th bell rings.`,
    })),
  }),
})

/** Replies for `/generate chapters`: the foundation, an outline, then each chapter in a reply of its own. */
const generated = (count: number) => [
  says.generate('Write foundation.md', `<answer>\n${foundation()}</answer>`),
  outline(count),
  ...Array.from({ length: count }, (_, at) =>
    says.generate(`Write ${file(at + 1)}`, `<answer>\n${beats(at + 1)}</answer>`),
  ),
]

export async function playTargets(): Promise<Played> {
  const novel = newNovel({ chapters: 0 })
  for (const folder of ['premise', 'treatment']) fs.rmSync(join(novel.folder, folder), { recursive: true })
  novel.git('add', '.')
  novel.git('commit', '-q', '--amend', '--no-edit')
  const reply = { ...(JSON.parse(premise) as object), selections: [{ category: 'tone', values: ['hopeful'] }] }
  const darker = (mood: string) =>
    says.write({ 'treatment.md': treatment.replace('Marcus hears', `Marcus ${mood} hears`) })
  const rejected = says.judge('needs_revision', 'Not dark enough yet.')
  novel.setScript([
    { when: [systems.generate, 'premise_metadata.json'], reply: JSON.stringify(reply) },
    says.generate(
      'Write treatment.md',
      `Sure! Here is the treatment:\n\n<answer>\n${treatment}</answer>\n\nLet me know what you think.`,
    ),
    ...generated(3),
    ...['often', 'never', 'always', 'hardly', 'soon', 'first'].flatMap((mood) => [darker(mood), rejected]),
    says.describe(
      { changes: [change({ hunks: ['h1'], units: ['u1'], title: 'Act One darker', magnitude: 'minor' })] },
      { again: true },
    ),
    darker('at last'),
    says.judge('approved', 'Good.', { again: true }),
  ])
  const repl = openRepl(novel)
  await repl.say('> ', `/model ${novel.model}`)
  await repl.say('> ', '/config output-tokens 800')
  await repl.say('> ', 'Make this darker')
  await repl.say('> ', '/generat premise')
  await repl.say('> ', '/iterate foo')
  await repl.say('> ', '')
  await repl.say('> ', '/generate premise')
  await repl.say('> ', '/generate treatment')
  await repl.say('> ', '/iterate chapters')
  await repl.say('> ', '/generate chapters')
  await repl.say('> ', '/iterate treatment')
  await repl.say('> ', '/iterate')
  await repl.say('> ', 'Make it darker')
  await repl.say('cancel): ', 'cancel')
  await repl.sees('> ')
  await repl.say('> ', '\u001b[200~First line.\nSecond line.\nThird line.\u001b[201~')
  await repl.say('cancel): ', 'keep-all')
  await repl.say('edit): ', 'view-partial')
  await repl.say('skip): ', 'skip')
  for (let attempt = 2; attempt <= 6; attempt += 1) await repl.say('edit): ', 'yes')
  await repl.say('edit): ', 'no')
  await repl.say('skip): ', 'skip')
  await repl.say('(yes/no/diff): ', 'no')
  await repl.say('> ', `Make it darker: ${'x'.repeat(5000)}`)
  await repl.say('cancel): ', 'keep-all')
  await repl.say('skip): ', 'skip')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.say('> ', '/status')
  return finish(novel, repl, new Map())
}

export async function playSession1(): Promise<Played> {
  const novel = newNovel({ chapters: 0, prose: 8 })
  const texts = new Map([
    ...readAll(novel),
    ['chapter-beats/foundation.md', foundation()] as const,
    ...Array.from({ length: 15 }, (_, at) => [`chapter-beats/${file(at + 1)}`, beats(at + 1)] as const),
  ])
  const third = { [file(3)]: dark }
  const seventh = {
    [file(7)]: beats(7).replace('The watch arrives', 'Marcus pays for the third night; the watch arrives'),
  }
  const afterThird = new Map([...texts, [`chapter-beats/${file(3)}`, dark] as const])
  novel.setScript([
    ...generated(15),
    says.plan([{ name: file(3) }]),
    says.write({ [file(3)]: beats(3, 'grey') }),
    says.judge('needs_revision', 'Tone still optimistic'),
    says.plan([{ name: file(3) }]),
    says.write(third),
    says.judge('approved', 'Approved'),
    says.describe({ changes: [change({ ...idsOf(texts, third)(file(3)) })] }),
    says.plan([{ name: file(7) }]),
    says.write(seventh),
    says.judge('approved', 'Approved'),
    says.describe({
      changes: [
        change({
          ...idsOf(afterThird, seventh)(file(7)),
          magnitude: 'moderate',
          title: 'Chapter 7 shows consequences',
        }),
      ],
    }),
  ])
  const repl = openRepl(novel, ['.'])
  await repl.say('> ', '/open my-novel')
  await repl.say('> ', `/model ${novel.model}`)
  await repl.say('> ', '/config view compact')
  await repl.say('> ', '/config ask-after 2')
  await repl.say('> ', '/config output-tokens 800')
  await repl.say('> ', '/generate chapters')
  await repl.say('cancel): ', 'no')
  await repl.sees('✓ Chapters generated')
  await repl.say('> ', 'Make chapter 3 darker and add internal conflict')
  await repl.say('cancel): ', 'yes')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.sees('✓ Iteration complete')
  await repl.say('> ', 'Also make chapter 7 reflect the consequences of chapter 3')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.sees('✓ Iteration complete')
  await repl.say('> ', '/status')
  return finish(novel, repl, texts)
}

export async function playSession2(): Promise<Played> {
  const novel = newNovel({ prose: 8 })
  novel.write('treatment/iteration_history.json', JSON.stringify({ iterations: history.slice(0, 1) }, null, 2))
  const betrayed = treatment.replace(
    'from house to house.',
    'from house to house. A betrayal subplot begins: Ilse sells the letters.',
  )
  novel.setScript([
    says.write({ 'treatment.md': betrayed }),
    says.judge('approved', 'Approved'),
    says.describe({
      changes: [change({ hunks: ['h1'], units: ['u1'], title: 'New betrayal subplot added to Act 2' })],
    }),
    ...generated(15),
  ])
  const repl = openRepl(novel)
  await repl.say('> ', `/model ${novel.model}`)
  await repl.say('> ', '/config view compact')
  await repl.say('> ', '/config output-tokens 800')
  await repl.say('> ', '/iterate treatment')
  await repl.say('> ', 'Add a betrayal subplot in act 2')
  await repl.say('cancel): ', 'yes')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.sees('✓ Iteration complete')
  await repl.say('> ', '/iterate chapters')
  await repl.say('> ', '/generate chapters')
  await repl.sees('✓ Chapters generated')
  return finish(novel, repl, new Map())
}

export async function playSession3(): Promise<Played> {
  const novel = newNovel()
  const texts = readAll(novel)
  const open = (word: string) => ({ [file(15)]: beats(15).replace('nobody is at the rope', `${word} is at the rope`) })
  const at = idsOf(texts, open('perhaps somebody'))(file(15))
  const plan = says.plan([{ name: file(15) }])
  novel.setScript([
    plan,
    says.write(open('perhaps Ilse')),
    says.judge('needs_revision', 'Ending is still conclusive, not ambiguous'),
    says.describe({
      changes: [
        change({
          ...at,
          title: 'Open questions',
          summary: 'Final chapter has open-ended questions but still resolves main plot',
        }),
      ],
    }),
    { ...plan },
    says.write(open('perhaps Marcus')),
    says.judge('needs_revision', "Better but protagonist's fate too clear"),
    { ...plan },
    says.write(open('perhaps somebody')),
    says.judge('approved', 'Approved - ambiguous ending achieved'),
    says.describe({ changes: [change({ ...at, title: 'Chapter 15 rewritten with ambiguous ending' })] }),
  ])
  const repl = openRepl(novel)
  await repl.say('> ', `/model ${novel.model}`)
  await repl.say('> ', '/config view compact')
  await repl.say('> ', '/iterate chapters')
  await repl.say('> ', 'Make the ending more ambiguous')
  await repl.say('edit): ', 'view-partial')
  await repl.say('View full? (yes/no): ', 'no')
  await repl.say('edit): ', 'yes')
  await repl.say('edit): ', 'yes')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.sees('✓ Iteration complete')
  return finish(novel, repl, texts)
}

/** The provider fails once, in the middle of an attempt. */
export async function playOutage(): Promise<Played> {
  const novel = newNovel()
  novel.setScript([
    says.plan([{ name: file(3) }]),
    { when: [systems.write], error: 'unavailable' },
    says.write({ [file(3)]: dark }, { delay_ms: 1500 }),
    says.judge('approved', 'Good.'),
    says.describe({ changes: [change({ ...idsOf(readAll(novel), { [file(3)]: dark })(file(3)) })] }),
  ])
  const repl = openRepl(novel)
  await repl.say('> ', `/model ${novel.model}`)
  await repl.say('> ', 'Make chapter 3 darker')
  await repl.say('(retry/wait/abort): ', 'retry')
  await repl.say('skip): ', 'skip')
  await repl.say('(yes/no/diff): ', 'yes')
  await repl.sees('Ready for next iteration.')
  await repl.say('> ', '/stats')
  return finish(novel, repl, new Map())
}

/** One of two changes is accepted; then the iteration is taken back and brought back. */
export async function playPicks(): Promise<Played> {
  const novel = newNovel()
  const next = { [file(3)]: beats(3).replace('Unease', 'Dread'), [file(5)]: beats(5).replace('Unease', 'Fear') }
  const at = idsOf(readAll(novel), next)
  novel.setScript([
    says.plan([{ name: file(3) }, { name: file(5) }]),
    says.write(next),
    says.judge('approved', 'Good.'),
    says.describe({
      changes: [
        change({ ...at(file(3)), title: 'Chapter 3 darker', magnitude: 'minor' }),
        change({
          ...at(file(5)),
          id: 'C2',
          title: 'Chapter 5 darker',
          summary: 'Chapter 5 follows.',
          magnitude: 'minor',
        }),
      ],
    }),
  ])
  const repl = openRepl(novel)
  await repl.say('> ', `/model ${novel.model}`)
  await repl.say('> ', 'Darker chapters 3 and 5')
  await repl.say('skip): ', 'chapter-5')
  await repl.say('skip): ', 'skip')
  await repl.say('(yes/no/diff): ', 'accept C1')
  await repl.sees('Ready for next iteration.')
  await repl.say('> ', '/undo')
  await repl.sees('To bring it back: /redo')
  await repl.say('> ', '/redo')
  await repl.sees('To take it back again: /undo')
  return finish(novel, repl, new Map())
}
