import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { RunStore, StoredRun } from '../../ports/run-store.ts'
import { askGit, type Check, type Novel, openEvidence, readEvents, readText } from './evidence.ts'
import { firstDraft, namedFile, ownEdit } from './novel.ts'
import { hashTexts } from './revise-novel.ts'

/** Claims about the iteration on the novel. */
export function novelClaims(novel: Novel, store: Pick<RunStore, 'open'>): Check[] {
  const open = (): Promise<StoredRun> => openEvidence(store, novel)
  return [
    commitClaim(novel, open),
    editClaim(novel),
    scopeClaim(novel),
    verdictClaim(novel, open),
    countClaim(novel, open),
  ]
}

type Open = () => Promise<StoredRun>

const commitClaim = ({ repository, first }: Novel, open: Open): Check => ({
  says: 'novel: one accepted iteration is one commit',
  check: async () => {
    const run = await open()
    const format = '--format=%H %(trailers:key=Iteration-Id,valueonly,separator=%x2C)'
    const lines = (await askGit(repository, 'log', format, `${first}..`)).split('\n')
    const made = lines.map((line) => line.split(' ')).filter(([, id]) => id)
    const { commit } = SavedData.parse((await findOutcome(run, 'finalize')) ?? {})
    const holds = made.length === 1 && made[0]![0] === commit && made[0]![1] === run.entry.id
    const named = made.map(([hash, id]) => `${hash!.slice(0, 10)} of ${id}`).join(', ')
    return [holds, `trailers Iteration-Id: ${named || 'none'}; the journal names ${commit?.slice(0, 10) ?? 'none'}`]
  },
})

const editClaim = ({ repository, first }: Novel): Check => ({
  says: 'novel: your own uncommitted edit was committed first and is kept',
  check: async () => {
    const commits = (await askGit(repository, 'rev-list', '--reverse', `${first}..`)).split('\n')
    const touches = await Promise.all(
      commits.map(async (id) => (await askGit(repository, 'show', '--name-only', '--format=', id)).split('\n')),
    )
    const [manual, ...others] = touches
    const isAlone = manual?.length === 1 && manual[0] === ownEdit.path
    const isKept = readFileSync(join(repository, ownEdit.path), 'utf8') === ownEdit.text
    const isTouched = others.flat().includes(ownEdit.path)
    const found = `first commit: ${manual?.join(', ')}; ${ownEdit.path} is ${isKept && !isTouched ? 'as you left it' : 'changed'}`
    return [isAlone && isKept && !isTouched && commits.length === 2, found]
  },
})

const scopeClaim = ({ repository, hashes }: Novel): Check => ({
  says: 'novel: only the chapter that was named has changed',
  check: () => {
    const now = hashTexts(repository)
    const paths = [...new Set([...Object.keys(hashes), ...Object.keys(now)])]
    const changed = paths.filter((path) => hashes[path] !== now[path])
    const holds = changed.length === 1 && changed[0] === namedFile
    return [holds, `${paths.length} files, other bytes in: ${changed.join(', ') || 'none'}`]
  },
})

const verdictClaim = ({ repository }: Novel, open: Open): Check => ({
  says: 'novel: the rejected draft and its verdict are kept for reading',
  check: async () => {
    const run = await open()
    const [request] = await run.requests()
    const folder = join(repository, Request.parse(JSON.parse(request.text)).with.debug)
    const draft = readFileSync(join(folder, 'attempt_1_raw.md'), 'utf8')
    const text = readFileSync(join(folder, 'attempt_1_judge_verdict.json'), 'utf8')
    const { verdict, reasoning } = StoredVerdict.parse(JSON.parse(text))
    const reached = (await readEvents(run)).find((event) => event.type === 'verdict-reached')
    const recorded = reached?.type === 'verdict-reached' ? await readText(run, reached.verdict.evidence) : ''
    const holds = draft.includes(firstDraft) && verdict === 'needs_revision' && text === recorded
    return [holds, `${verdict}: "${reasoning}" on a draft of ${draft.length} letters`]
  },
})

const countClaim = ({ repository }: Novel, open: Open): Check => ({
  says: 'novel: the summary counts what git counts',
  check: async () => {
    const run = await open()
    const described = (await readEvents(run)).findLast(
      (event) => event.type === 'attempt-ended' && event.task?.startsWith('describe-') === true,
    )
    const ref = described?.type === 'attempt-ended' ? described.outcome.output : undefined
    const { stats } = Diff.parse(JSON.parse(await readText(run, ref)))
    const counted = (await askGit(repository, 'diff', '--numstat', 'HEAD~', 'HEAD', '--', '*.md')).split('\n')
    const sum = (column: number): number => counted.reduce((all, line) => all + Number(line.split('\t')[column]), 0)
    const [summary, git] = [
      formatCounts(stats.files_changed, stats.lines_added, stats.lines_removed),
      formatCounts(counted.length, sum(0), sum(1)),
    ]
    return [summary === git, `summary: ${summary}; git: ${git}`]
  },
})

const formatCounts = (files: number, added: number, removed: number): string =>
  `${files === 1 ? '1 file' : `${files} files`}, +${added} −${removed} lines`

async function findOutcome(run: StoredRun, task: string): Promise<unknown> {
  const ended = (await readEvents(run)).findLast((event) => event.type === 'attempt-ended' && event.task === task)
  return ended?.type === 'attempt-ended' ? ended.outcome.data : undefined
}

/** Loose, like any other reader of a run. */
const SavedData = z.looseObject({ commit: z.string().nullish() })
const Request = z.looseObject({ with: z.looseObject({ debug: z.string() }) })
const StoredVerdict = z.looseObject({ verdict: z.string(), reasoning: z.string() })
const Diff = z.looseObject({
  stats: z.looseObject({ files_changed: z.number(), lines_added: z.number(), lines_removed: z.number() }),
})
