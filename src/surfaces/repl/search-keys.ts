import type { Key } from 'node:readline'
import type { Line } from './folds.ts'
import { createSearch, type Search } from './search.ts'

type Screen = {
  now(): Line
  /** Shows a line, with this prompt or the usual one. */
  show(line: Line, prompt: string | undefined): void
  fold(entry: string): string
}

export type SearchKeys = {
  start(): void
  /** Takes a key if a search is going on. Otherwise, or if the key also means something in the line, returns false. */
  press(letters: string | undefined, key: Key): boolean
  paste(text: string): boolean
}

/** Searches the history while a person types: Enter takes the match into the line, Escape goes back to what was there. */
export function createSearchKeys(entries: readonly string[], { now, show, fold }: Screen): SearchKeys {
  let going: { readonly search: Search; readonly before: Line } | undefined

  function draw({ search }: { search: Search }): void {
    const match = search.match()
    const label = match === undefined ? 'no match in the history' : 'history'
    show({ line: match === undefined ? '' : fold(match), cursor: 0 }, `${label} "${search.query()}": `)
  }

  function end(line: Line): void {
    going = undefined
    show(line, undefined)
  }

  function take({ search, before }: { search: Search; before: Line }): void {
    const match = search.match()
    const line = match === undefined ? undefined : fold(match)
    end(line === undefined ? before : { line, cursor: line.length })
  }

  return {
    start: () => {
      going = { search: createSearch(entries), before: now() }
      draw(going)
    },
    press: (letters, key) => {
      if (!going) return false
      const { search } = going
      const does = decideKey(letters, key)
      if (does === 'cancel') end(going.before)
      else if (does === 'take' || does === 'use') take(going)
      else {
        if (does === 'next' || does === 'previous') search.step(does === 'next' ? 1 : -1)
        else if (does === 'erase') search.look([...search.query()].slice(0, -1).join(''))
        else if (does === 'clear') search.look('')
        else search.look(search.query() + letters)
        draw(going)
      }
      return does !== 'use'
    },
    paste: (text) => {
      if (!going) return false
      going.search.look(going.search.query() + text.replace(/\p{Cc}+/gu, ' ').trim())
      draw(going)
      return true
    },
  }
}

type Does = 'cancel' | 'take' | 'use' | 'next' | 'previous' | 'erase' | 'clear' | 'type'

/** Decides what a key does in a search. `use`: it takes the match and then has its usual meaning. */
function decideKey(letters: string | undefined, { name = '', ctrl, meta }: Key): Does {
  if (name === 'escape' || (ctrl && (name === 'g' || name === 'c'))) return 'cancel'
  if (name === 'return' || name === 'enter' || name === 'tab') return 'take'
  if ((ctrl && name === 'r') || name === 'up') return 'next'
  if ((ctrl && name === 's') || name === 'down') return 'previous'
  if (name === 'backspace') return 'erase'
  if (ctrl && name === 'u') return 'clear'
  return letters === undefined || ctrl || meta || /\p{Cc}/u.test(letters) ? 'use' : 'type'
}
