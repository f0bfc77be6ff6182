const words = ['SUCCESS', 'FAILURE', 'BLOCKED'] as const

/**
 * What the agent promises: a hint at most. It is the whole last line of its own last message, and never a line that
 * stands in the prompt, which may have been echoed.
 */
export function promiseIn(lastMessage: string, prompt: string): (typeof words)[number] | undefined {
  const message = lastMessage.trimEnd()
  const last = message.slice(message.lastIndexOf('\n') + 1).trim()
  const found = words.find((word) => last === `<promise>${word}</promise>`)
  return found && !standsIn(prompt, last) ? found : undefined
}

const standsIn = (prompt: string, line: string): boolean => prompt.split('\n').some((other) => other.trim() === line)
