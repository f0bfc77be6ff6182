import type { AsyncCompleter, Key } from 'node:readline'
import type { Io } from '../terminal/io.ts'
import { plainText } from '../terminal/plain-text.ts'
import { openRawInput } from '../terminal/raw-input.ts'
import { type Look, paintText, type Text } from '../terminal/styled.ts'
import { type Complete, completeLine } from './completion.ts'
import { cleanText, type Folds, hasSign } from './folds.ts'
import type { History } from './history.ts'
import type { Interrupts } from './interrupts.ts'
import { createKeyFeed } from './key-feed.ts'
import { openLineEditor } from './line-editor.ts'
import type { Input, Reading } from './reading.ts'
import { createSearchKeys } from './search-keys.ts'

/** What all reads at one terminal share. */
export type Place = {
  readonly io: Pick<Io, 'flush' | 'colour'>
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly history: History
  readonly folds: Folds
  readonly interrupts: Interrupts
}

export type EditOptions = {
  readonly prompt: string
  readonly initial: string
  readonly complete: Complete | undefined
  /** What was typed before this read. */
  readonly ahead: string
  /** What the second Ctrl-C does. */
  readonly hint: string
}

const [pasteOn, pasteOff] = ['\u001b[?2004h', '\u001b[?2004l']
const longMs = 3_600_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Reads one line at a terminal. Between reads the terminal has its own mode and nothing listens to it. */
export function editLine(place: Place, options: EditOptions): Reading & { readonly rest: () => string } {
  const { io, input, output, folds, interrupts } = place
  const { promise, resolve } = Promise.withResolvers<Input>()
  let isOpen = true
  let isDrawn = false
  let rest = ''
  /** Ends a completion that is being looked for, without a result. */
  let stopCompletion: (() => void) | undefined
  const prompt = plainText(options.prompt)
  const entries = place.history.entries()

  const completer: AsyncCompleter = (before, done) => {
    const { complete } = options
    const end = (result: [string[], string]): void => {
      if (!stopCompletion || !isOpen) return
      stopCompletion = undefined
      done(null, result)
      feed.drain()
    }
    stopCompletion = () => end([[], ''])
    void completeLine(complete, folds.unfold(before)).then(({ insert, word, list }) => {
      if (list !== undefined && stopCompletion && isOpen) notify(list)
      end(insert === undefined ? [[], ''] : [[insert], word])
    })
  }

  const editor = openLineEditor({
    output,
    prompt,
    history: entries.map((entry) => folds.fold(entry, 'history')),
    completer,
    onSubmit: (line) => finish({ is: 'text', text: folds.unfold(line) }),
  })
  const search = createSearchKeys(entries, {
    now: editor.now,
    show: (line, label) => editor.show(line, label ?? prompt),
    fold: (entry) => folds.fold(entry, 'history'),
  })
  const feed = createKeyFeed(editor.lines, {
    isReady: () => isOpen && stopCompletion === undefined,
    onKey: (letters, key) => {
      if (!isOpen || search.press(letters, key)) return
      const act = findAction(letters, key)
      if (act) act()
      else if (letters !== undefined && hasSign(letters)) paste(letters)
      else if (!isStray(letters, key)) edit(letters, key)
    },
    onPaste: (text) => {
      if (!search.paste(text)) paste(text)
    },
  })

  function findAction(letters: string | undefined, { name, ctrl }: Key): (() => void) | undefined {
    if (letters === '\u001c') return quit
    if (!ctrl) return undefined
    if (name === 'c') return interrupt
    if (name === 'd' && editor.now().line === '') return () => finish({ is: 'ended' })
    if (name === 'r') return search.start
    // To the whole group, as the terminal would send it.
    if (name === 'z') return () => void process.kill(0, 'SIGTSTP')
    return undefined
  }

  function edit(letters: string | undefined, key: Key): void {
    const before = editor.now()
    if (!editor.press(letters, key)) return
    const after = editor.now()
    const mended = folds.mend(before, after)
    if (mended.line !== after.line || mended.cursor !== after.cursor) editor.show(mended)
  }

  const paste = (text: string): void => editor.insert(folds.fold(text, 'paste'))

  function interrupt(): void {
    const decision = interrupts.press(editor.now().line !== '')
    if (decision === 'leave') finish({ is: 'interrupted' })
    else if (decision === 'hint') notify(options.hint, 'dim')
    else if (decision === 'clear') for (const name of ['e', 'u']) editor.press(undefined, { ctrl: true, name })
  }

  function quit(): void {
    finish({ is: 'ended' })
    process.kill(0, 'SIGQUIT')
  }

  function notify(line: Text, look?: Look): void {
    const text = paintText(line, look, io.colour)
    if (raw.isOpen()) editor.printAbove(text)
    else output.write(`${text}\n`)
  }

  function enter(): void {
    output.write(pasteOn)
    if (isDrawn) {
      editor.redraw()
      return
    }
    isDrawn = true
    editor.show(editor.now())
    if (options.initial !== '') editor.insert(folds.fold(cleanText(options.initial), 'history'))
  }

  function leave(): void {
    // A submitted line is left already.
    if (isOpen) editor.leave()
    output.write(pasteOff)
  }

  function finish(result: Input): void {
    if (!isOpen) return
    if (result.is === 'text') isOpen = false
    raw.close()
    isOpen = false
    clearInterval(alive)
    for (const signal of signals) process.off(signal, obey)
    process.off('exit', end)
    input.off('end', end).off('error', end)
    rest = feed.close()
    editor.close()
    // If the terminal is gone, the last writes fail only now.
    setImmediate(() => {
      output.off('error', end)
      resolve(result)
    })
  }

  const end = (): void => finish({ is: 'ended' })

  /** Gives the terminal back. If nobody else handles the signal, it has its usual effect. */
  function obey(signal: NodeJS.Signals): void {
    finish({ is: signal === 'SIGINT' ? 'interrupted' : 'ended' })
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }

  // A process that was suspended, or is in the background, has nothing else to wait for.
  const alive = setInterval(() => {}, longMs)
  for (const signal of signals) process.on(signal, obey)
  process.on('exit', end)
  input.on('end', end).on('error', end)
  output.on('error', end)
  const raw = openRawInput(input, {
    onText: (text) => {
      feed.take(text)
      if (text.includes('\u0003')) stopCompletion?.()
    },
    onSuspend: io.flush,
    onEnter: enter,
    onLeave: leave,
  })
  if (options.ahead !== '') feed.take(options.ahead)
  return { input: promise, notify, close: end, rest: () => rest }
}

/** Undo and redo. */
const undoKeys = ['\u001f', '\u001e']
/** Control characters that have no meaning must not get into the text. */
const isStray = (letters: string | undefined, { name }: Key): boolean =>
  name === undefined && letters !== undefined && /\p{Cc}/u.test(letters) && !undoKeys.includes(letters)
