import { expect, test } from 'vitest'
import { listLevelFiles } from '../../../../src/modes/writing/core/level/levels.ts'
import { listDownstream } from '../../../../src/modes/writing/core/level/relations.ts'
import type { SavePlan } from '../../../../src/modes/writing/core/save-plan.ts'
import { commitManualEdits } from '../../../../src/modes/writing/project/manual-edits.ts'
import { saveIteration } from '../../../../src/modes/writing/project/save.ts'
import { builtInTypesFolder, loadType } from '../../../../src/modes/writing/project/types.ts'
import { redoIteration, type Undone, undoIteration } from '../../../../src/modes/writing/project/undo.ts'
import { createRunId } from '../../../../src/run/new-run.ts'
import { mulberry32 } from '../../../torture/kill.ts'
import { file } from '../support/novel.ts'
import {
  type Expected,
  expectCommit,
  expectManualCommit,
  type File,
  findDifferences,
  findOther,
  hash,
  isSame,
  listTargets,
  newStudio,
  putFile,
  type Step,
  type Studio,
} from '../support/random-studio.ts'

const { type } = loadType('novel', [builtInTypesFolder()])
const levels = type.levels.filter(({ leaf }) => !leaf)

type Dice = { roll(sides: number): number; chance(share: number): boolean; pick<T>(items: readonly T[]): T }

function newDice(seed: number): Dice {
  const random = mulberry32(seed)
  const roll = (sides: number): number => Math.floor(random() * sides)
  return { roll, chance: (share) => random() < share, pick: (items) => items[roll(items.length)]! }
}

const words = ['Glocke', 'Nebel', 'Fähre', '鐘', 'ash', '🜂', 'the watch', '***', '# Heading', '']

const randomText = ({ roll, pick }: Dice): string =>
  Array.from({ length: 1 + roll(6) }, () => `${pick(words)} ${roll(1000)}\n`).join('')

/** A file as editors leave it: with Windows line ends, a byte order mark, no last line end, or executable. */
function randomFile(dice: Dice): File {
  const text = randomText(dice)
  const ended = dice.chance(0.2) ? text.trimEnd() : text
  const styled = (dice.chance(0.15) ? '\ufeff' : '') + (dice.chance(0.25) ? ended.replaceAll('\n', '\r\n') : ended)
  return { bytes: Buffer.from(styled), mode: dice.chance(0.1) ? '100755' : '100644' }
}

const listFiles = ({ disk }: Expected, level: (typeof levels)[number]): string[] =>
  listLevelFiles(level, [...disk.keys()])
    .filter(({ path }) => disk.get(path)!.mode !== '120000')
    .map(({ path }) => path)

/** Files of the person, within the project and outside of its levels or beside their files. */
const ownPaths = [
  'Notizen für später.md',
  'research/old maps.txt',
  'chapters/notes ß.txt',
  '.hidden',
  'copy.bak',
  'run.sh',
]

/** The person's files at the beginning. */
function fill(studio: Studio, project: Expected, dice: Dice): void {
  const put = (path: string, file = randomFile(dice)): void => putFile(studio, project, path, file)
  put('premise/premise_metadata.json')
  put('treatment/treatment.md')
  if (dice.chance(0.8)) put('chapter-beats/foundation.md')
  const chapters = 1 + dice.roll(4)
  for (let number = 1; number <= chapters; number += 1) {
    put(`chapter-beats/${file(number)}`)
    if (dice.chance(0.6)) put(`chapters/${file(number)}`)
  }
  for (const path of ownPaths) if (dice.chance(0.3)) put(path)
  if (dice.chance(0.2))
    put('link', { bytes: Buffer.from(dice.pick(['nowhere', '/etc/hostname', '..'])), mode: '120000' })
}

/** The person does something, and perhaps commits or stages it. */
function meddle(studio: Studio, project: Expected, dice: Dice): string {
  const { disk, head, staged, name, applied, undone } = project
  const paths = [...disk.keys()].filter((path) => disk.get(path)!.mode !== '120000')
  const recent = [...applied, ...undone].at(-1)?.changes ?? []
  const what = dice.pick(['edit', 'edit', 'remove', 'add', 'chmod', 'revert'])
  const path = what === 'add' || paths.length === 0 ? dice.pick(ownPaths) : dice.pick(paths)
  const change = what === 'revert' && recent.length > 0 ? dice.pick(recent) : undefined
  const old = disk.get(path)
  const chmod = old && ({ ...old, mode: old.mode === '100755' ? '100644' : '100755' } as const)
  if (change) putFile(studio, project, change.path, change.before)
  else if (what === 'remove' && old) putFile(studio, project, path, undefined)
  else if (what === 'chmod' && chmod) putFile(studio, project, path, chmod)
  else putFile(studio, project, path, randomFile(dice))
  const how = dice.pick(['left', 'left', 'committed', 'staged'])
  if (how === 'left') return `${what} ${change?.path ?? path}`
  studio.git('add', '-A', '--', `${name}/`)
  for (const one of new Set([...disk.keys(), ...head.keys()])) {
    const [now, was] = [disk.get(one), head.get(one)]
    const isDifferent = !isSame(now, was) || now?.mode !== was?.mode
    if (isDifferent && !one.endsWith('.bak')) staged.add(one)
    else staged.delete(one)
  }
  if (how === 'staged' || staged.size === 0) return `${what} ${change?.path ?? path}, staged`
  studio.git('commit', '-qm', 'by hand', '--', `${name}/`)
  for (const one of staged) {
    if (disk.has(one)) head.set(one, disk.get(one)!)
    else head.delete(one)
  }
  staged.clear()
  return `${what} ${change?.path ?? path}, committed`
}

/** A plan as an accepted iteration has: changes, additions and removals in a level, and perhaps the levels below culled. */
function randomPlan(project: Expected, level: (typeof levels)[number], id: string, at: string, dice: Dice): SavePlan {
  const { disk } = project
  const sha256 = (path: string): string | null => (disk.has(path) ? hash(disk.get(path)!) : null)
  const existing = listFiles(project, level)
  const [first, ...others] = existing.toSorted(() => dice.roll(3) - 1)
  const removed = level.series ? others.filter(() => dice.chance(0.2)) : []
  const changed = [first!, ...others.filter((path) => !removed.includes(path) && dice.chance(0.4))]
  const added = level.series && dice.chance(0.4) ? [`${level.folder}/${file(5 + dice.roll(4))}`] : []
  const written = [...new Set([...changed, ...added.filter((path) => !disk.has(path))])]
  const below = dice.chance(0.4) ? listDownstream(type, level.id).flatMap((one) => listFiles(project, one)) : []
  return {
    target: level.id,
    folder: level.folder,
    files: [
      ...written.map((path) => ({ path, text: randomText(dice), sha256: sha256(path) })),
      ...removed.map((path) => ({ path, text: null, sha256: sha256(path) })),
    ],
    culled: below.map((path) => ({ path, text: null, sha256: sha256(path) })),
    madeFrom: Object.fromEntries(written.map((path) => [path, { 'treatment/treatment.md': id }])),
    entry: {
      timestamp: at,
      feedback: `Änderung ${id}`,
      judge_attempts: 1,
      judge_verdict: 'approved',
      judge_reasoning: '',
      semantic_summary: '',
      files_changed: 1,
      lines_changed: 1,
      iteration_id: id,
    },
    subject: `[${level.id}] Änderung ${id}`,
    body: '',
  }
}

type Turn = { readonly studio: Studio; readonly project: Expected; readonly dice: Dice; readonly time: { ms: number } }

/** An iteration as `start` and `finalize` do it, while the person may go on editing. */
async function iterate({ studio, project, dice, time }: Turn): Promise<string[]> {
  const { machine, open, at } = studio
  const edited = await commitManualEdits(open(project.name), machine)
  const wanted = expectManualCommit(project)
  const problems = findOther('manual edits', edited, wanted)
  const level = dice.pick(levels.filter((one) => listFiles(project, one).length > 0))
  if (!level) return problems
  time.ms += dice.roll(1500)
  const id = createRunId(new Date(time.ms))
  const plan = randomPlan(project, level, id, new Date(time.ms).toISOString().replace(/\.\d+/, ''), dice)
  if (dice.chance(0.2)) meddle(studio, project, dice)
  const [{ path: written }] = plan.files as [SavePlan['files'][number]]
  if (dice.chance(0.1)) putFile(studio, project, written, randomFile(dice))
  const targets = listTargets(plan, project)
  const isRefused = [...plan.files, ...plan.culled].some(({ path, sha256 }, index) => {
    const now = project.disk.get(path)
    const target = targets[index]!.bytes
    return (
      !isSame(now, target === null ? undefined : { bytes: target, mode: '100644' }) &&
      (now ? hash(now) : null) !== sha256
    )
  })
  const result = await saveIteration(plan, { machine, folder: at(project.name), run: id })
  if (isRefused !== (result.is === 'refused')) return [...problems, `saved: ${JSON.stringify(result)}`]
  if (result.is === 'refused') return problems
  for (const { path } of targets) project.staged.delete(path)
  const step: Step = { id, level: level.folder, at: plan.entry!.timestamp, changes: expectCommit(project, targets) }
  project.applied.push(step)
  return problems
}

async function undo({ studio, project, dice }: Turn): Promise<string[]> {
  const named = dice.chance(0.4) && project.applied.length > 0 ? dice.pick(project.applied) : undefined
  const step = named ?? project.applied.at(-1)
  const undone = await undoIteration(studio.open(project.name), studio.machine, named?.id)
  return settle(project, step, undone, (next) => {
    project.applied = project.applied.filter((one) => one !== step)
    project.undone.push(next)
  })
}

async function redo({ studio, project }: Turn): Promise<string[]> {
  const step = project.undone.at(-1)
  const undone = await redoIteration(studio.open(project.name), studio.machine)
  return settle(project, step, undone, (next) => {
    project.undone.pop()
    project.applied.push(next)
  })
}

/** What must come of taking back a commit: its files are as before it, or nothing has happened. */
function settle(project: Expected, step: Step | undefined, undone: Undone, move: (next: Step) => void): string[] {
  const isWrong = (wanted: Undone['is']): string[] =>
    undone.is === wanted ? [] : [`${JSON.stringify(undone)} instead of ${wanted}`]
  if (!step) return isWrong('nothing')
  const { disk, staged } = project
  const isConflict = step.changes.some(
    ({ path, before, after }) => !isSame(disk.get(path), after) && !isSame(disk.get(path), before),
  )
  if (isConflict || undone.is !== 'done') return isWrong(isConflict ? 'refused' : 'done')
  const targets = step.changes.map(({ path, before }) => ({ path, bytes: before?.bytes ?? null, mode: before?.mode }))
  for (const { path } of targets) staged.delete(path)
  move({ ...step, changes: expectCommit(project, targets) })
  return []
}

const acts = { iterate, undo, redo, meddle: async (turn: Turn) => void meddle(turn.studio, turn.project, turn.dice) }
const sequence = ['iterate', 'iterate', 'undo', 'undo', 'redo', 'redo', 'meddle', 'undo', 'iterate', 'redo'] as const

/** Plays with some projects of one repository in turns, and compares each with what it should be after each turn. */
async function play(count: number, turns: number, seed: number): Promise<string[]> {
  const dice = newDice(seed)
  const studio = newStudio(Array.from({ length: count }, (_, at) => `work-${at}`))
  const time = { ms: Date.parse('2026-01-01T00:00:00Z') }
  const done: string[] = []
  try {
    for (const project of studio.projects) fill(studio, project, dice)
    for (let turn = 0; turn < turns * count; turn += 1) {
      const project = studio.projects[turn % count]!
      // First an iteration, then anything, more often in an order that a person would have.
      const act =
        turn < count
          ? 'iterate'
          : dice.chance(0.5)
            ? sequence[Math.floor(turn / count) % sequence.length]!
            : dice.pick(sequence)
      const problems = (await acts[act]({ studio, project, dice, time })) ?? []
      done.push(`${project.name} ${act}`)
      const found = [...problems, ...findDifferences(studio, project)]
      if (found.length > 0)
        return [...found, `seed ${seed}: ${done.filter((line) => line.startsWith(`${project.name} `)).join(', ')}`]
    }
    const late = studio.projects.flatMap((project) => findDifferences(studio, project))
    return [...late, ...(studio.isElsewhereSame() ? [] : ['work elsewhere was changed'])]
  } finally {
    studio.close()
  }
}

async function playMany(trees: number, seed: number): Promise<string[]> {
  const lane = async (first: number): Promise<string[]> => {
    const problems: string[] = []
    for (let at = first; at < trees / 10; at += 2) problems.push(...(await play(10, 5, seed + at)))
    return problems
  }
  return (await Promise.all([lane(0), lane(1)])).flat()
}

test('a random project: undo and redo bring back every byte, or refuse and change nothing', async () => {
  expect(await playMany(1, 1)).toEqual([])
})

// TREES=1000 takes ten minutes on two quiet cores.
test('many random projects', { timeout: 3_600_000 }, async () => {
  expect(await playMany(Number(process.env.TREES ?? 100), Number(process.env.SEED ?? 100))).toEqual([])
})
