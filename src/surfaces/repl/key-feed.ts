import { emitKeypressEvents, type Interface, type Key } from 'node:readline'
import { PassThrough } from 'node:stream'

export type KeyFeed = {
  /** Takes what the terminal sent. */
  take(text: string): void
  /** Goes on with what waits. */
  drain(): void
  /** Returns what was not used. */
  close(): string
}

type Listener = {
  onKey(letters: string | undefined, key: Key): void
  onPaste(text: string): void
  /** Whether the next key may come. Otherwise it waits. */
  isReady(): boolean
}

type Piece = { readonly is: 'keys' | 'paste'; readonly text: string }

const esc = '\u001b'
const pasteEnd = `${esc}[201~`
const ctrlC = '\u0003'
/** Texts that come faster than this are parts of one paste. */
const quietMs = 50
/** Nobody types as many letters at once. */
const maxTyped = 100

/**
 * Tells keys from pastes. A paste is bracketed by the terminal or, if the terminal cannot do that, several lines that come at once.
 * Keys pass through the parser of readline. Pastes do not, because it would take minutes for a megabyte.
 */
export function createKeyFeed(lines: Interface, { onKey, onPaste, isReady }: Listener): KeyFeed {
  const keyboard = new PassThrough()
  const waiting: Piece[] = []
  /** The paste that the terminal has begun and not ended. */
  let bracketed: string | undefined
  let burst = ''
  let quiet: NodeJS.Timeout | undefined
  let isInSequence = false
  emitKeypressEvents(keyboard, lines)
  keyboard.on('keypress', (letters: string | undefined, key: Key) => {
    if (key.name === 'paste-start') bracketed = ''
    else if (key.name !== 'paste-end') onKey(letters, key)
  })

  function drain(): void {
    while (isReady()) {
      const piece = waiting.shift()
      if (!piece) return
      if (bracketed !== undefined) takeBracketed(bracketed, piece.text)
      else if (piece.is === 'paste') onPaste(piece.text)
      else takeKey(piece.text)
    }
  }

  // The rest goes back before anything is called, because the listener may close the feed.
  function putBack(text: string): void {
    if (text !== '') waiting.unshift({ is: 'keys', text })
  }

  function takeKey(text: string): void {
    const letter = String.fromCodePoint(text.codePointAt(0)!)
    putBack(text.slice(letter.length))
    keyboard.emit('data', letter)
  }

  function takeBracketed(before: string, text: string): void {
    const all = before + text
    const found = all.indexOf(pasteEnd, Math.max(0, before.length - pasteEnd.length))
    // A terminal that never ends its paste must not lock the person in.
    const isLeft = found < 0 && text.endsWith(ctrlC)
    bracketed = found < 0 && !isLeft ? all : undefined
    if (bracketed !== undefined) return
    putBack(isLeft ? ctrlC : all.slice(found + pasteEnd.length))
    onPaste(all.slice(0, isLeft ? -ctrlC.length : found))
  }

  /** Decides what came at once: several lines are a paste, one line with its Enter is typed. */
  function endBurst(): void {
    clearTimeout(quiet)
    const [, enters = '', text = '', end = ''] = /^([\r\n]*)([\s\S]*?)([\r\n]*)$/.exec(burst.replaceAll('\r\n', '\r'))!
    burst = ''
    const isPaste = /[\r\n]/.test(text)
    const pieces: Piece[] = [
      { is: 'keys', text: enters },
      { is: isPaste || text.length > maxTyped ? 'paste' : 'keys', text: isPaste ? text + end : text },
      { is: 'keys', text: isPaste ? '' : end },
    ]
    waiting.push(...pieces.filter((piece) => piece.text !== ''))
    drain()
  }

  function isPartOfBurst(text: string): boolean {
    if (bracketed !== undefined || isInSequence || otherControls.test(text)) return false
    return burst !== '' || text.length > maxTyped || /[\r\n][^\r\n]|[^\r\n][\r\n]/.test(text)
  }

  return {
    drain,
    take: (text) => {
      if (isPartOfBurst(text)) {
        burst += text
        clearTimeout(quiet)
        quiet = setTimeout(endBurst, quietMs)
        return
      }
      if (burst !== '') endBurst()
      isInSequence = unfinished.test(text)
      waiting.push({ is: 'keys', text: bracketed === undefined ? text.replaceAll('\r\n', '\r') : text })
      drain()
    },
    close: () => {
      clearTimeout(quiet)
      keyboard.removeAllListeners()
      return waiting.reduce((all, { text }) => all + text, '') + burst
    },
  }
}

/** Control characters that are no text: keys, and sequences of the terminal. */
const otherControls = /(?![\t\r\n])\p{Cc}/u
const unfinished = new RegExp(`${esc}(?:\\[[0-9;]*|O)?$`)
