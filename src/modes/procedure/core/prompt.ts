import type { ProcedureRequest } from '../contract/request.ts'

const phases = ['observe', 'orient', 'decide', 'act'] as const

/** Composes the OODA prompt of one iteration. Reads files each time: state is in files, not in a conversation. */
export async function composePrompt(
  request: Pick<ProcedureRequest, 'phases' | 'context'>,
  readText: (path: string) => Promise<string>,
): Promise<string> {
  const read = async (path: string): Promise<string> => tidy(await readText(path))
  const sections = ['# OODA Loop Iteration']
  if (request.context.length) {
    const parts = request.context.map(async (entry) => {
      const file = promptFilePath(entry)
      return file === undefined ? tidy(entry as string) : `Source: ${file}\n\n${await read(file)}`
    })
    sections.push(['## CONTEXT', ...(await Promise.all(parts))].join('\n\n'))
  }
  for (const phase of phases) {
    const parts = request.phases[phase].map((entry) =>
      isPromptFile(entry) ? read(entry) : Promise.resolve(tidy(entry)),
    )
    sections.push([`## ${phase.toUpperCase()}`, ...(await Promise.all(parts))].join('\n\n'))
  }
  return `${sections.join('\n\n')}\n`
}

/** True if a prompt entry is one line ending in .md or .txt; otherwise it is the text itself. */
export const isPromptFile = (entry: string): boolean => !/[\r\n]/.test(entry) && /\.(?:md|txt)$/.test(entry)

/** Returns the file that a context entry names. Undefined for a text. */
export const promptFilePath = (entry: ProcedureRequest['context'][number]): string | undefined =>
  typeof entry !== 'string' ? entry.file : isPromptFile(entry) ? entry : undefined

const tidy = (text: string): string => text.replace(/\r\n/g, '\n').trim()
