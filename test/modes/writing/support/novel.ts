import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { cleanups } from '../../../support/cleanups.ts'

export type ScriptStep = {
  when?: string[]
  again?: boolean
  reply?: string
  error?: 'unavailable' | 'failed'
  cut?: boolean
  delay_ms?: number
  retry_in_ms?: number
  tokens?: number
  cost_usd?: number
}

const names = ['Marcus', 'Ilse', 'the magistrate', 'Tomas', 'the ferryman']

/** The beats of a chapter, of about forty lines. */
export const beats = (number: number, mood = 'hopeful'): string =>
  `# Chapter ${number}: The ${number}th Bell

Act: ${number < 5 ? 'one' : number < 12 ? 'two' : 'three'}
POV: Marcus
Operation: investigation
Hook: question - Who rang the bell of the ${number}th house?

## Key Events

- Marcus wakes in a ${mood} morning -> he goes to the ${number}th house
- ${names[number % names.length]} denies everything -> Marcus finds the letter ${number}
- The watch arrives -> the letter ${number} burns
- Marcus follows the smoke of quarter ${number} -> he meets an old debt
- The bell rings ${number} times -> nobody is at the rope

## Character Development

- Marcus: trusts his own eyes a little less, because the letter ${number} was in his own hand
- Ilse: keeps a secret about house ${number}

## Emotional Beat

Unease, because the bell knows the number ${number}.

## New Information

The bell of house ${number} was cast in the year of the fire.
`

export const foundation = (archetype = 'hero'): string => `# Metadata

Genre: fantasy
Tone: hopeful
Themes: redemption, sacrifice, duty

# Characters

## Marcus

Role: protagonist, ${archetype}
Motivation: to make good for the warehouse fire

# World

Setting Overview: a city of fifteen bells
`

export const prose = (number: number): string => `# Chapter ${number}: The ${number}th Bell

Marcus woke as the first light came through the window of house ${number}. He felt refreshed.

Today he would confront the magistrate. The bell rang ${number} times, and he counted along.

***

Ilse waited at the ferry of quarter ${number}. "You are late," she said.
`

export const treatment = `# Treatment

## Logline

A watchman must find out who rings the bells before the city burns again.

## Act One

Marcus hears the first bell. He promises Ilse to find the ringer.

## Act Two

The letters lead him from house to house.

## Act Three

He rings the last bell himself.
`

export const premise = `${JSON.stringify(
  {
    premise: 'A watchman who let a warehouse burn must find out who rings the bells of the dead.',
    protagonist: 'Marcus, a watchman',
    antagonist: 'The magistrate',
    stakes: 'The city',
    hook: 'Fifteen bells ring, and nobody is at the rope.',
    themes: ['redemption', 'sacrifice', 'duty'],
    unique_elements: ['bells', 'letters', 'ferries'],
    selections: { tone: 'hopeful' },
  },
  null,
  2,
)}
`

export type NovelOptions = {
  readonly chapters?: number
  readonly prose?: number
  readonly reports?: number
  readonly steps?: readonly ScriptStep[]
  readonly name?: string
}

/** A studio with the novel `my-novel`, its files committed, and a scripted model. */
export function newNovel(options: NovelOptions = {}) {
  const { chapters = 15, prose: written = 0, reports = 0, steps = [], name = 'my-novel' } = options
  const root = fs.mkdtempSync(join(tmpdir(), 'pawl-write-'))
  cleanups.push(() => fs.rmSync(root, { recursive: true, force: true }))
  const studio = join(root, 'books')
  const folder = join(studio, name)
  const write = (path: string, text: string): void => {
    fs.mkdirSync(join(folder, path, '..'), { recursive: true })
    fs.writeFileSync(join(folder, path), text)
  }
  write(
    'project.yaml',
    stringify({ name, type: 'novel', created_at: '2026-01-01T00:00:00Z', genre: 'fantasy', idea: 'Bells' }),
  )
  write('premise/premise_metadata.json', premise)
  write('treatment/treatment.md', treatment)
  if (chapters > 0) write('chapter-beats/foundation.md', foundation())
  for (let number = 1; number <= chapters; number += 1) write(`chapter-beats/${file(number)}`, beats(number))
  for (let number = 1; number <= written; number += 1) write(`chapters/${file(number)}`, prose(number))
  for (let number = 0; number < reports; number += 1)
    write(`analysis/${['structure', 'pacing', 'style'][number]}.md`, '# Report\n\nFine.\n')
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: studio, encoding: 'utf8' }).trim()
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('add', '.')
  git('commit', '-qm', 'Import')
  const script = join(root, 'script.yml')
  const record = join(root, 'calls.ndjson')
  const setScript = (next: readonly ScriptStep[]): void => fs.writeFileSync(script, stringify({ model: next, record }))
  /** The calls of the model so far whose system prompt contains these words. */
  const calls = (words: string): { system: string; prompt: string; temperature: number; maxOutputTokens: number }[] =>
    fs.existsSync(record)
      ? fs
          .readFileSync(record, 'utf8')
          .split('\n')
          // The last line may still be being written.
          .slice(0, -1)
          .map(
            (line) =>
              JSON.parse(line) as { system: string; prompt: string; temperature: number; maxOutputTokens: number },
          )
          .filter(({ system }) => system.includes(words))
      : []
  setScript(steps)
  const env = {
    PATH: process.env.PATH!,
    HOME: root,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  }
  const read = (path: string): string => fs.readFileSync(join(folder, path), 'utf8')
  return { root, studio, folder, name, script, model: `scripted:${script}`, env, git, write, read, setScript, calls }
}

export const file = (number: number): string => `chapter-${String(number).padStart(2, '0')}.md`

const step = (marker: string, reply: string, more: Partial<ScriptStep> = {}): ScriptStep => ({
  when: [marker],
  reply,
  ...more,
})

/** Replies of the scripted model, recognized by words of the prompts. */
export const says = {
  plan: (
    files: readonly { name: string; task?: string; action?: string; ripple?: boolean }[],
    more: Partial<ScriptStep> = {},
  ) =>
    step(
      'You decide which files have to change',
      JSON.stringify({
        understanding: 'The author wants a change.',
        files: files.map(({ name, task = 'do it', action = 'change', ripple = false }) => ({
          name,
          action,
          task,
          ripple,
        })),
      }),
      more,
    ),
  /** One file: between answer markers. Several: between file markers. */
  write: (files: Readonly<Record<string, string>>, more: Partial<ScriptStep> = {}) => {
    const entries = Object.entries(files)
    const [only] = entries
    const reply =
      entries.length === 1
        ? `<answer>\n${only![1]}</answer>`
        : entries.map(([name, text]) => `<file name="${name}">\n${text}</file>`).join('\n')
    return step('You revise a written work', reply, more)
  },
  judge: (
    verdict: 'approved' | 'needs_revision',
    reasoning: string,
    more: Partial<ScriptStep> & { issues?: string[]; suggestions?: string[] } = {},
  ) => {
    const { issues = verdict === 'approved' ? [] : [reasoning], suggestions = [], ...rest } = more
    const met = { met: verdict === 'approved' ? 'yes' : 'partly', why: 'as seen' }
    return step(
      'strict and fair developmental editor',
      JSON.stringify({
        criteria: {
          feedback_addressed: met,
          consistent_with_history: { met: 'yes', why: 'yes' },
          quality_maintained: { met: 'yes', why: 'yes' },
          appropriate_in_scope: { met: 'yes', why: 'yes' },
          consistent_with_upstream: { met: 'yes', why: 'yes' },
        },
        earlier_issues: [],
        specific_issues: issues,
        suggestions,
        reasoning,
        verdict,
      }),
      rest,
    )
  },
  describe: (labels: Readonly<Record<string, unknown>>, more: Partial<ScriptStep> = {}) =>
    step('tells an author what a revision has changed', JSON.stringify({ ...noLabels, ...labels }), more),
  generate: (marker: string, reply: string, more: Partial<ScriptStep> = {}) => ({
    when: ['You write one step of a work', marker],
    reply,
    ...more,
  }),
}

const noLabels = {
  changes: [],
  impact: { tone: null, arcs: [], consistency: '' },
  risks: [],
  rationale: '',
}

export const change = (more: Readonly<Record<string, unknown>>) => ({
  id: 'C1',
  hunks: [],
  units: [],
  evidence: [],
  before: '',
  after: '',
  facts: [],
  type: 'rewrite',
  magnitude: 'major',
  locator: '',
  title: 'Chapter 3 rewritten with darker tone',
  summary: '',
  why: '',
  depends_on: [],
  ripple_of: null,
  ...more,
})
