const words = ['SUCCESS', 'FAILURE', 'BLOCKED'] as const

/**
 * Finds the agent's promise, which is only a hint. It must be the complete last line of the last message, neither quoted nor
 * contradicted by another promise. A line of the prompt does not count, because the agent may have echoed it.
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

/** Follows Markdown: four spaces or an open fence make code. Any other text before the tag makes it prose. */
function isQuoted(indent: string, before: readonly string[]): boolean {
  if (indent.length > 3 || indent !== ' '.repeat(indent.length)) return true
  const above = before.at(-1)?.trim() ?? ''
  return isFence(above) && (opensFence.test(above) || before.filter(isFence).length % 2 === 1)
}

const isFence = (line: string): boolean => /^\s*(?:```|~~~)/.test(line)
/** A fence with a language can only open a block. */
const opensFence = /^(?:`{3,}|~{3,})[^`~]/

/** An echo may be wrapped or reformatted, so letters are compared: this many in a row are not a coincidence. */
const minEchoLetters = 40

function isEcho(before: readonly string[], last: string, prompt: string): boolean {
  if (prompt.split('\n').some((line) => line.trim() === last)) return true
  const letters = keepLetters(before.join('\n')).slice(-minEchoLetters)
  return letters.length === minEchoLetters && keepLetters(prompt).includes(letters + keepLetters(last))
}

const keepLetters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

const maxPleaLength = 300

/** Returns the end of the agent's message before its promise, in one line. */
export function findPlea(lastMessage: string): string | undefined {
  const words = lastMessage.trimEnd().split('\n').slice(0, -1).join(' ').replace(/\s+/g, ' ').trim()
  return words.length > maxPleaLength ? `…${words.slice(-maxPleaLength)}` : words || undefined
}
