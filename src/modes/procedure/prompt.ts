import { isPromptFile } from '../../contract/config.ts'
import type { ProcedureRequest } from '../../contract/request.ts'

const phases = ['observe', 'orient', 'decide', 'act'] as const

/** The OODA prompt of one iteration. Files are read anew each time: state lives in files, not in conversation. */
export async function composePrompt(
  request: Pick<ProcedureRequest, 'phases' | 'context'>,
  readText: (path: string) => Promise<string>,
): Promise<string> {
  const resolve = async (entry: string): Promise<string> =>
    (isPromptFile(entry) ? await readText(entry) : entry).replace(/\r\n/g, '\n').trim()
  const sections = ['# OODA Loop Iteration']
  if (request.context.length) sections.push(['## CONTEXT', ...(await all(request.context, resolve))].join('\n\n'))
  for (const phase of phases) {
    const parts = await all(request.phases[phase], resolve)
    sections.push([`## ${phase.toUpperCase()}`, ...parts].join('\n\n'))
  }
  return `${sections.join('\n\n')}\n`
}

const all = (entries: readonly string[], resolve: (entry: string) => Promise<string>): Promise<string[]> =>
  Promise.all(entries.map(resolve))
