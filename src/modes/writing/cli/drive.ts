import type { LoopEvent, Question } from '../../../contract/event.ts'
import type { Live } from '../../../contract/show.ts'
import type { Json, Ref } from '../../../contract/values.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { answerRun } from '../../../run/actions/notes.ts'
import { type Executed, executeRun } from '../../../run/execution/execute.ts'
import { type OpenRun, openRun } from '../../../run/open-run.ts'
import { mayRedraw, renderLive } from '../../../surfaces/terminal/display.ts'
import { createRendering, renderLine } from '../../../surfaces/terminal/render.ts'
import { Base, Brief, WritingRequest } from '../contract/request.ts'
import { findLevel } from '../core/level/levels.ts'
import type { WritingMemo } from '../core/memo.ts'
import { rule } from '../core/summary.ts'
import { askQuestion, type QuestionContext } from './questions.ts'
import type { Session } from './state.ts'

/** Executes an iteration at the REPL: prints it in the words of the seed and asks its questions. */
export async function driveIteration(session: Session, stored: StoredRun): Promise<Executed> {
  const { invocation, machine, page } = session
  const program = { ...invocation.program, machine }
  const open = await openRun(program, stored)
  const [leave, hard] = [new AbortController(), new AbortController()]
  const live = openLive(session)
  const printer = createPrinter(session, open)
  const onInterrupt = (): void => {
    live.hide()
    page.line('Stopping. The iteration is kept.')
    hard.abort('SIGINT')
  }
  process.on('SIGINT', onInterrupt)
  let isFresh = false
  let edit: Ref | undefined
  let listen = session.reader.drop()
  const ask = async (question: Question): Promise<void> => {
    live.pause(true)
    listen()
    process.off('SIGINT', onInterrupt)
    const context = await readContext(session, open, question, edit)
    const answer = await askQuestion(question, { ...context, isOld: !isFresh })
    process.on('SIGINT', onInterrupt)
    listen = session.reader.drop()
    if (answer === 'left') leave.abort('the person left')
    else await answerRun(program, stored, answer)
  }
  let asking: Promise<void> = Promise.resolve()
  let unanswered: Question | undefined
  let asked: string | undefined
  try {
    const executed = await executeRun(open, {
      machine,
      stop: { soft: leave.signal, hard: hard.signal, now: hard.signal },
      attended: true,
      mayShowWords: true,
      surface: {
        live: live.open,
        event: (event, { state, memo }, lines) => {
          edit = (memo as WritingMemo).edits.at(-1)
          unanswered = state.question
          if (state.question) live.pause(true)
          if (event.type === 'attempt-started') live.pause(false)
          if (event.type === 'attempt-ended') isFresh = true
          live.hide()
          printer.event(
            event,
            lines.map((line) => renderLine(line, createRendering(program))),
          )
        },
        // A run waits for an answer when its question is saved. One that is resumed may have waited all along.
        saved: () => {
          printer.saved()
          const question = unanswered
          if (!question || question.id === asked) return
          asked = question.id
          asking = asking.then(() => ask(question)).catch((error: unknown) => leave.abort(String(error)))
        },
        notice: (text) => page.line(text),
      },
    })
    await asking
    return executed
  } finally {
    live.close()
    listen()
    process.off('SIGINT', onInterrupt)
  }
}

/** Lines that claim something is saved are printed when it is. */
function createPrinter({ page }: Session, open: OpenRun) {
  const isCompact = WritingRequest.parse(open.envelope.with).view === 'compact'
  const pending: string[] = []
  const flush = (): void => page.lines(pending.splice(0))
  return {
    saved: flush,
    event: (event: LoopEvent, lines: readonly string[]) => {
      if (lines.length === 0) return
      pending.push(...spaceLines(event, lines, isCompact))
      const waits = event.type === 'run-ended' || event.task === 'finalize'
      if (!waits) flush()
    },
  }
}

/** Adds the empty lines of the seed's screens. */
function spaceLines(event: LoopEvent, lines: readonly string[], isCompact: boolean): string[] {
  const blank = ''
  if (event.type === 'attempt-started') return [blank, ...lines]
  if (event.type === 'run-ended') return [blank, ...lines]
  if (isCompact) return [...lines]
  if (event.type === 'verdict-reached') {
    const [head = '', ...rest] = lines
    return [head, blank, ...rest, blank]
  }
  if (event.type !== 'attempt-ended') return [...lines]
  const judge = lines.indexOf('[Running validation judge...]')
  if (judge > 0) return [blank, ...lines.slice(0, judge), blank, ...lines.slice(judge)]
  return lines[0] === rule ? [blank, ...lines, blank] : [...lines]
}

/** Redraws the progress while a model writes; where nothing can be redrawn, prints a line now and then. */
function openLive({ invocation: { io, options, program }, page, machine }: Session) {
  const { env } = machine.environment
  const screen = mayRedraw(env, options) ? io.screen : undefined
  let at: (now: number) => Live | undefined = () => undefined
  let isPaused = false
  const draw = (): void => {
    const live = isPaused ? undefined : at(Date.now())
    const rendering = { ...createRendering(program), ticks: true as const }
    if (screen && !isPaused) screen.show(live ? renderLive(live, rendering) : [])
    else if (live && !screen) page.line(`  ... ${renderLine(live.brief, rendering)}`)
  }
  const timer = setInterval(draw, screen ? redrawMs : heartbeatMs)
  return {
    open: (source: typeof at) => {
      at = source
    },
    hide: () => screen?.show([]),
    /** Draws nothing from a question until the next attempt. */
    pause: (now: boolean) => {
      isPaused = now
      screen?.show([])
    },
    close: () => {
      clearInterval(timer)
      screen?.show([])
    },
  }
}

const redrawMs = 100
const heartbeatMs = 20_000

async function readContext(
  session: Session,
  open: OpenRun,
  { about }: Question,
  edit: Ref | undefined,
): Promise<Omit<QuestionContext, 'isOld'>> {
  const request = WritingRequest.parse(open.envelope.with)
  return open.use(async (_mode, { content }) => {
    const read = async (ref: Parameters<typeof content.get>[0]): Promise<Json> =>
      JSON.parse(new TextDecoder().decode(await content.get(ref))) as Json
    const base = Base.parse(await read(request.base))
    return {
      session,
      isCompact: request.view === 'compact',
      isJudged: request.kind === 'iterate',
      feedback: edit
        ? new TextDecoder().decode(await content.get(edit))
        : Brief.parse(await read(request.brief)).feedback,
      level: findLevel(base.type, request.target)!,
      files: base.files,
      about: about ? await read(about).catch(() => undefined) : undefined,
    }
  })
}
