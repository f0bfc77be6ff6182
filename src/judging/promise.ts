const words = ['SUCCESS', 'FAILURE', 'BLOCKED'] as const

/**
 * What the agent promises: a hint at most. It is the whole last line of its own last message, neither quoted nor
 * contradicted by another one, and never a line that stands in the prompt, which may have been echoed.
 */
export function findPromise(lastMessage: string, prompt: string): (typeof words)[number] | undefined {
  const before = lastMessage.trimEnd().split('\n')
  const last = before.pop()!
  const found = words.find((word) => last.endsWith(formatTag(word)))
  if (!found || isQuoted(last.slice(0, -formatTag(found).length), before)) return undefined
  const contradicted = before.some((line) => words.some((word) => word !== found && line.trim() === formatTag(word)))
  return contradicted || isEcho(before, last.trim(), prompt) ? undefined : found
}

const formatTag = (word: string): string => `<promise>${word}</promise>`

/** Markdown's rules: four spaces make code, and so does an open fence. Whatever else stands before it makes prose. */
function isQuoted(indent: string, before: readonly string[]): boolean {
  if (indent.length > 3 || indent !== ' '.repeat(indent.length)) return true
  const above = before.at(-1)?.trim() ?? ''
  return isFence(above) && (opensFence.test(above) || before.filter(isFence).length % 2 === 1)
}

const isFence = (line: string): boolean => /^\s*(?:```|~~~)/.test(line)
/** A fence that names a language never closes one. */
const opensFence = /^(?:`{3,}|~{3,})[^`~]/

/** An echo may be wrapped and dressed anew: that many letters before the promise, the same as there, are no accident. */
const noAccident = 40

function isEcho(before: readonly string[], last: string, prompt: string): boolean {
  if (prompt.split('\n').some((line) => line.trim() === last)) return true
  const letters = keepLetters(before.join('\n')).slice(-noAccident)
  return letters.length === noAccident && keepLetters(prompt).includes(letters + keepLetters(last))
}

const keepLetters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')
