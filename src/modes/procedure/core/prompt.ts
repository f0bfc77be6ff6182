import type { ProcedureRequest } from '../contract/request.ts'

const phases = ['observe', 'orient', 'decide', 'act'] as const

/** The OODA prompt of one iteration. Files are read anew each time: state lives in files, not in conversation. */
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

/** A prompt entry names a file when it is one line that ends in .md or .txt; otherwise it is the text itself. */
export const isPromptFile = (entry: string): boolean => !/[\r\n]/.test(entry) && /\.(?:md|txt)$/.test(entry)

/** The file that an entry of the context names, if it names one. */
export const promptFilePath = (entry: ProcedureRequest['context'][number]): string | undefined =>
  typeof entry !== 'string' ? entry.file : isPromptFile(entry) ? entry : undefined

const tidy = (text: string): string => text.replace(/\r\n/g, '\n').trim()
