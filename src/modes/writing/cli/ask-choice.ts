import type { Session } from './state.ts'

/** undefined: the person left, or the input ended. */
export async function askChoice<Choice extends string>(
  { reader, page }: Pick<Session, 'reader' | 'page'>,
  prompt: string,
  choices: readonly Choice[],
  aliases: Readonly<Record<string, Choice>> = {},
): Promise<Choice | undefined> {
  for (;;) {
    const input = await reader.read(`${prompt}: `, {
      keep: false,
      hint: leaveHint,
      complete: (before) => ({ word: before, candidates: choices.filter((choice) => choice.startsWith(before)) }),
    })
    if (input.is !== 'text' || isExit(input.text)) return undefined
    const chosen = matchChoice(input.text, choices, aliases)
    if (chosen) return chosen
    if (input.text !== '') page.line(`Please answer with one of: ${choices.join(', ')}`)
  }
}

/** Questions are left, not the session. */
export const leaveHint = 'Press Ctrl-C again within 2 s to leave this question'

export const isExit = (text: string): boolean => /^\s*\/(?:exit|quit|cancel)\s*$/i.test(text)

/** A choice by its name or the beginning of it. */
export function matchChoice<Choice extends string>(
  text: string,
  choices: readonly Choice[],
  aliases: Readonly<Record<string, Choice>> = {},
): Choice | undefined {
  const typed = text.trim().toLowerCase()
  if (typed === '') return undefined
  const exact = choices.find((choice) => choice === typed) ?? aliases[typed]
  if (exact) return exact
  const fitting = choices.filter((choice) => choice.startsWith(typed))
  return fitting.length === 1 ? fitting[0] : undefined
}

/** Reads a line of text. undefined: the person left. */
export async function askText(
  { reader }: Pick<Session, 'reader'>,
  prompt: string,
  initial?: string,
): Promise<string | undefined> {
  const input = await reader.read(prompt, {
    keep: false,
    hint: leaveHint,
    ...(initial !== undefined && { initial }),
  })
  return input.is === 'text' && !isExit(input.text) ? input.text : undefined
}
