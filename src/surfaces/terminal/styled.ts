import { plainText } from './plain-text.ts'

export type Look = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
/** A piece of text and its style at a terminal with colours. */
export type StyledLine = { readonly text: string; readonly look?: Look }
/** One line: plain, or in pieces with styles of their own. */
export type Text = string | readonly StyledLine[]

export const piecesOf = (text: Text): readonly StyledLine[] => (typeof text === 'string' ? [{ text }] : text)
export const plainOf = (text: Text): string => piecesOf(text).reduce((all, piece) => all + piece.text, '')

/** Joins texts to one. Stays a string if no piece has a style. */
export function joinTexts(texts: readonly Text[]): Text {
  const pieces = texts.flatMap(piecesOf)
  return pieces.some(({ look }) => look) ? pieces : plainOf(pieces)
}

const codes = {
  bold: '\u001b[1m',
  dim: '\u001b[2m',
  red: '\u001b[31m',
  green: '\u001b[32m',
  yellow: '\u001b[33m',
  cyan: '\u001b[36m',
} as const satisfies Record<Look, string>
const reset = '\u001b[0m'

/** Adds the codes of a style. The text itself must be free of control characters. */
export const applyLook = (text: string, look: Look | undefined): string =>
  look && text !== '' ? `${codes[look]}${text}${reset}` : text

/** Returns a line for the terminal: everything but our own styles is escaped. */
export const paintText = (text: Text, look: Look | undefined, colour: boolean): string =>
  piecesOf(text)
    .map((piece) => {
      const plain = plainText(piece.text)
      return colour ? applyLook(plain, piece.look ?? look) : plain
    })
    .join('')

export const colourChoices = ['auto', 'always', 'never'] as const
export type ColourChoice = (typeof colourChoices)[number]

type Env = Readonly<Record<string, string | undefined>>

/** Decides whether to use colours. `auto`: at a terminal, unless the person asked for plain output; FORCE_COLOR overrides NO_COLOR. */
export function decideColour(choice: ColourChoice, env: Env, isTerminal: boolean): boolean {
  if (choice !== 'auto') return choice === 'always'
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' && !isOn(env.ACCESSIBLE) && !isOn(env.CI)
}

export const isOn = (value: string | undefined): boolean => Boolean(value) && value !== '0' && value !== 'false'
