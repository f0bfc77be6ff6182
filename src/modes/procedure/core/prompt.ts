import type { ProcedureRequest, PromptEntry } from '../contract/request.ts'

const phases = ['observe', 'orient', 'decide', 'act'] as const

/** Composes the OODA prompt of one iteration. Reads files each time: state is in files, not in a conversation. */
export async function composePrompt(
  request: Pick<ProcedureRequest, 'phases' | 'context'>,
  readText: (path: string) => Promise<string>,
): Promise<string> {
  const read = async (entry: PromptEntry): Promise<string> => {
    const file = promptFilePath(entry)
    return tidy(file === undefined ? promptText(entry) : await readText(file))
  }
  const sections = ['# OODA Loop Iteration']
  if (request.context.length) {
    const parts = request.context.map(async (entry) => {
      const file = promptFilePath(entry)
      return file === undefined ? read(entry) : `Source: ${file}\n\n${await read(entry)}`
    })
    sections.push(['## CONTEXT', ...(await Promise.all(parts))].join('\n\n'))
  }
  for (const phase of phases) {
    const parts = await Promise.all(request.phases[phase].map(read))
    sections.push([`## ${phase.toUpperCase()}`, ...parts].join('\n\n'))
  }
  return `${sections.join('\n\n')}\n`
}

/** Returns the file that an entry names. Undefined for a text. */
export function promptFilePath(entry: PromptEntry): string | undefined {
  if (typeof entry !== 'string') return 'file' in entry ? entry.file : undefined
  return !/[\r\n]/.test(entry) && /\.(?:md|txt)$/.test(entry) ? entry : undefined
}

const promptText = (entry: PromptEntry): string =>
  typeof entry === 'string' ? entry : 'text' in entry ? entry.text : ''

const tidy = (text: string): string => text.replace(/\r\n/g, '\n').trim()
