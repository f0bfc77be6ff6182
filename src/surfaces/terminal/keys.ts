/** The actions that a person at the live screen can start with a key. */
export type KeyActions = {
  pause(): void
  stop(): void
  /** Returns why feedback cannot be given now, or undefined if it can. */
  refuseFeedback(): string | undefined
  feedback(text: string): void
  answer(text: string): void
  help(): void
  /** Keys that the terminal itself would turn into signals. */
  signal(name: 'SIGINT' | 'SIGTSTP' | 'SIGQUIT'): void
  say(text: string): void
  /** The line that is being typed has changed. */
  changed(): void
}

/** A line that is being typed. */
export type Typed = { readonly is: 'feedback' | 'answer'; readonly text: string }

export type Keys = {
  take(text: string): void
  typed(): Typed | undefined
}

export const listKeys = (readsFeedback: boolean): readonly string[] => [
  `Keys: p pause or continue, s stop after this step, a answer a question, ${readsFeedback ? 'f feedback, ' : ''}? this help,`,
  '      Ctrl-C stop within 12 s, twice: at once, Ctrl-Z suspend',
]

const maxTyped = 4000
const signals = { '\u0003': 'SIGINT', '\u001a': 'SIGTSTP', '\u001c': 'SIGQUIT' } as const
const esc = '\u001b'
/** Arrows and other keys that send a sequence. */
const sequence = new RegExp(`${esc}(?:\\[[0-9;?]*[ -/]*[@-~]|O.)`, 'g')

/** Interprets typed text. Pasted text is no command; in a line of feedback or an answer it is text. */
export function createKeys(actions: KeyActions): Keys {
  let typed: Typed | undefined

  function set(next: Typed | undefined): void {
    typed = next
    actions.changed()
  }

  function type(letter: string, { is, text }: Typed): void {
    if (letter === '\r' || letter === '\n') {
      set(undefined)
      if (text.trim() !== '') actions[is](text.trim())
    } else if (letter === '\u001b' || (letter === '\u0004' && text === '')) set(undefined)
    else if (letter === '\u007f' || letter === '\b') set({ is, text: [...text].slice(0, -1).join('') })
    else if (letter === '\u0015') set({ is, text: '' })
    else if (letter >= ' ' && text.length < maxTyped) set({ is, text: text + letter })
  }

  function press(letter: string): void {
    if (letter === 'p') actions.pause()
    else if (letter === 's') actions.stop()
    else if (letter === '?') actions.help()
    else if (letter === 'a') set({ is: 'answer', text: '' })
    else if (letter === 'f') {
      const refusal = actions.refuseFeedback()
      if (refusal === undefined) set({ is: 'feedback', text: '' })
      else actions.say(refusal)
    }
  }

  return {
    typed: () => typed,
    take: (text) => {
      const letters = [...text.replace(sequence, '')]
      const typing = typed !== undefined
      for (const letter of letters) {
        if (letter in signals) actions.signal(signals[letter as keyof typeof signals])
        else if (typed !== undefined) type(letter, typed)
      }
      // A key that was held or pressed twice counts once.
      const [only, ...others] = new Set(typed === undefined && !typing ? letters : [])
      if (only !== undefined && others.length === 0) press(only.toLowerCase())
    },
  }
}
