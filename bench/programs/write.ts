// A novel of 100 chapters with 300,000 words: its status against `git status`, the computed diff against `git diff --word-diff`.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileTools } from '../../src/adapters/stores/files/disk.ts'
import { computeDiff } from '../../src/modes/writing/core/diff/compute.ts'
import { openProject } from '../../src/modes/writing/project/project.ts'
import { describeLevels } from '../../src/modes/writing/project/status.ts'
import { builtInTypesFolder } from '../../src/modes/writing/project/types.ts'
import { takeTurns } from '../pairs.ts'

const [scratch = '', chapters = '', words = '', times = ''] = process.argv.slice(2)
const count = Number(chapters)
const studio = join(scratch, 'books')
const folder = join(studio, 'novel')
const vocabulary =
  'the bell rang over wet roofs and nobody dared to count along while Marcus walked home through quiet streets again'.split(
    ' ',
  )
// The same text every time.
let seed = 7
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed % below
}
const sentence = (): string => `${Array.from({ length: 12 }, () => vocabulary[random(vocabulary.length)]).join(' ')}.`
const chapter = (number: number): string => {
  const paragraphs = Array.from({ length: Math.ceil(Number(words) / count / 60) }, () =>
    Array.from({ length: 5 }, sentence).join(' '),
  )
  return `# Chapter ${number}\n\n${paragraphs.join('\n\n')}\n`
}
/** Every twentieth sentence is another one. */
const revise = (text: string): string =>
  text.replace(/[^.\n]+\./g, (found) => (random(20) === 0 ? ` ${sentence()}` : found))

const name = (number: number): string => `chapter-${String(number).padStart(2, '0')}.md`
const before = new Map<string, string>()
for (const level of ['chapter-beats', 'chapters']) mkdirSync(join(folder, level), { recursive: true })
writeFileSync(join(folder, 'project.yaml'), 'name: novel\ntype: novel\ncreated_at: 2026-01-01\n')
const sources: Record<string, unknown> = {}
for (let number = 1; number <= count; number += 1) {
  const text = chapter(number)
  before.set(`chapters/${name(number)}`, text)
  writeFileSync(join(folder, 'chapters', name(number)), text)
  writeFileSync(join(folder, 'chapter-beats', name(number)), `# Chapter ${number}\n\n${sentence()}\n`)
  sources[name(number)] = { sha256: 'x', made_from: { [`chapter-beats/${name(number)}`]: 'y' } }
}
writeFileSync(join(folder, 'chapters', 'sources.json'), JSON.stringify({ version: 1, files: sources }))
const after = new Map([...before].map(([path, text]) => [path, revise(text)]))
for (const [side, texts] of [
  ['a', before],
  ['b', after],
] as const) {
  mkdirSync(join(scratch, side, 'chapters'), { recursive: true })
  for (const [path, text] of texts) writeFileSync(join(scratch, side, path), text)
}
const git = (...args: string[]): void => {
  try {
    execFileSync('git', args, { cwd: studio, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 })
  } catch (error) {
    // `git diff --no-index` exits with 1 if there is a difference.
    if ((error as { status?: number }).status !== 1) throw error
  }
}
git('init', '-q')
git('add', '.')
git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'x')

const timed = (act: () => void) => async (): Promise<number> => {
  const began = performance.now()
  act()
  return performance.now() - began
}
const opened = openProject(studio, 'novel', { files: fileTools, folders: [builtInTypesFolder()] })
const units = [...before.keys()].map((path, at) => ({
  path,
  kind: 'part' as const,
  label: `Chapter ${at + 1}`,
  format: 'markdown' as const,
}))
let hunks = 0
const status = await takeTurns(
  Number(times),
  timed(() => void describeLevels(opened)),
  timed(() => git('status', '--porcelain')),
)
const diff = await takeTurns(
  Number(times),
  timed(() => {
    hunks = computeDiff({ units, before, after }).hunks.length
  }),
  timed(() => git('diff', '--no-index', '--word-diff', join(scratch, 'a'), join(scratch, 'b'))),
)
console.log(JSON.stringify({ status, diff, hunks }))
