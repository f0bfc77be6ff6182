import type { LoopEvent } from '../../contract/event.ts'
import { PawlError } from '../../contract/exit.ts'
import { toLine } from '../../contract/line.ts'
import type { DiffLine } from '../../contract/show.ts'
import type { TranscriptEntry } from '../../contract/transcript.ts'
import { Ref } from '../../contract/values.ts'
import type { AttemptDocument, AttemptPayload, FileDiff } from '../../contract/web.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { About } from '../../show/show.ts'
import type { Mode, Program } from '../mode.ts'
import { openRunToRead } from '../open-run.ts'
import type { Run, RunContent } from '../run.ts'
import { readTranscript } from './transcript.ts'

/** What the journal and the content of a run hold about one attempt. */
export type AttemptRead = Pick<
  AttemptPayload,
  'transcript' | 'omitted' | 'evidence' | 'documents' | 'outputs' | 'events'
>

const mostEntries = 500
const mostLetters = 200_000
const mostDocuments = 60

/** Reads everything that is stored about an attempt, of any mode. Throws if there is no such attempt. */
export async function readAttempt(
  program: Program,
  stored: StoredRun,
  task: string,
  attempt: number,
): Promise<AttemptRead> {
  const events: LoopEvent[] = []
  for await (const page of (await stored.read()).events)
    events.push(...page.filter((event) => event.task === task && event.attempt === attempt))
  if (events.length === 0)
    throw new PawlError(2, `${stored.entry.name} has no attempt ${attempt} of ${task}`, undefined, 'not_found')
  const open = await openRunToRead(program, stored)
  const hasAgents = open.use((mode, run) => mode.commands(run.current.request).agents.length > 0)
  const content = open.use((_mode, run) => run.content)
  const evidence = await open.use((mode, run) => listEvidence(mode, run, events))
  const { id } = stored.entry
  return {
    ...(hasAgents ? await readConversation(program, stored, task, attempt) : { transcript: [], omitted: 0 }),
    evidence,
    documents: await readDocuments(content, events),
    outputs: await readOutputs(stored, `${task}-attempt-${attempt}-`),
    events: events.map((event) => {
      const json = toLine(event, id)
      return { seq: event.seq, at: event.at, says: `${json.phase} ${json.status}`, json: json as never }
    }),
  }
}

async function listEvidence<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  events: readonly LoopEvent[],
): Promise<AttemptPayload['evidence']> {
  const ended = events.findLast((event) => event.type === 'attempt-ended')
  const reached = events.findLast((event) => event.type === 'verdict-reached')
  const { id, name } = run.entry
  const inputs = await mode.load(run)
  const about: About<Request, Inputs> = { id, name, request: run.current.request, inputs, words: () => undefined }
  return mode.show.evidence?.({ outcome: ended?.outcome, verdict: reached?.verdict }, about) ?? []
}

async function readConversation(program: Program, stored: StoredRun, task: string, attempt: number) {
  const entries: TranscriptEntry[] = []
  let omitted = 0
  try {
    for await (const part of readTranscript(program, stored, { choice: { task, attempt }, follow: false })) {
      if (part.is !== 'entry') continue
      entries.push(part.entry)
      if (entries.length <= mostEntries) continue
      entries.shift()
      omitted += 1
    }
  } catch (error) {
    // A chore has no conversation.
    if (!(error instanceof PawlError)) throw error
  }
  return { transcript: entries, omitted }
}

async function readDocuments(
  content: Pick<RunContent, 'get'>,
  events: readonly LoopEvent[],
): Promise<readonly AttemptDocument[]> {
  const refs = new Map<string, { readonly ref: Ref; readonly seq: number }>()
  for (const event of events) for (const ref of findRefs(event)) refs.set(ref.path, { ref, seq: event.seq })
  // The outputs of processes are shown as such.
  const own = [...refs.values()].filter(({ ref }) => !ref.path.startsWith('attempts/')).slice(0, mostDocuments)
  return Promise.all(own.map(({ ref, seq }) => readDocument(content, ref, seq)))
}

/** Finds everything in an event that names content. */
function findRefs(value: unknown): readonly Ref[] {
  if (typeof value !== 'object' || value === null) return []
  const ref = Ref.safeParse(value)
  return ref.success ? [ref.data] : Object.values(value).flatMap(findRefs)
}

async function readDocument(content: Pick<RunContent, 'get'>, ref: Ref, seq: number): Promise<AttemptDocument> {
  const name = ref.path.replace(/^.*\//, '').replace(/^[0-9a-f]{16}-/, '')
  const whole = await readText(content, ref)
  const text = whole.slice(0, mostLetters)
  const kind = name.endsWith('.patch') ? 'patch' : name.endsWith('.json') ? 'json' : 'text'
  const files = kind === 'patch' ? { files: parsePatch(text) } : {}
  return { name, seq, kind, text, cut: whole.length > text.length, ...files }
}

async function readText(content: Pick<RunContent, 'get'>, ref: Ref): Promise<string> {
  try {
    return new TextDecoder().decode(await content.get(ref))
  } catch {
    return ''
  }
}

/** Divides the output of `git diff` into files. */
function parsePatch(text: string): readonly FileDiff[] {
  const parts = text.split(/^diff --git /m).slice(1)
  return parts.map((part) => {
    const lines = part.split('\n')
    const path =
      /^\+\+\+ b\/(.*)$/m.exec(part)?.[1] ?? /^--- a\/(.*)$/m.exec(part)?.[1] ?? /b\/(.*)$/.exec(lines[0]!)?.[1]
    const start = lines.findIndex((line) => line.startsWith('@@'))
    const body = start < 0 ? [] : lines.slice(start, lines.at(-1) === '' ? -1 : undefined)
    const shown = body.map((line): DiffLine => ({ kind: kinds[line[0] as '+'] ?? 'same', text: line }))
    const count = (kind: DiffLine['kind']): number => shown.filter((line) => line.kind === kind).length
    return { path: path ?? '', lines: shown, added: count('added'), removed: count('removed') }
  })
}

const kinds = { '+': 'added', '-': 'removed', '@': 'hunk' } as const

async function readOutputs(stored: StoredRun, start: string): Promise<AttemptPayload['outputs']> {
  const names = (await stored.outputs()).filter((name) => name.startsWith(start))
  return Promise.all(
    names.map(async (name) => {
      const read = await stored.output(name, -mostLetters)
      return { name, text: new TextDecoder().decode(read?.bytes), cut: (read?.from ?? 0) > 0 }
    }),
  )
}
