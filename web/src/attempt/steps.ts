import type { TranscriptEntry } from '../../../src/contract/transcript.ts'
import type { IconName } from '../parts/icon.tsx'

type Entry<Kind extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: Kind }>

/** A tool call with its result. */
export type Call = {
  readonly kind: 'call'
  readonly at?: number | undefined
  readonly tool: string
  readonly about: string
  result: { readonly text: string; readonly failed: boolean } | null
}

export type Step =
  | Call
  /** Several calls in a row that only looked at something. */
  | { readonly kind: 'looks'; readonly at?: number | undefined; readonly calls: readonly Call[] }
  | {
      readonly kind: 'text'
      readonly is: 'message' | 'thought' | 'output'
      readonly at?: number | undefined
      text: string
    }
  | Entry<'denied'>
  | Entry<'error'>

/** How many calls in a row become one line. */
const groupFrom = 2

/** Puts results to their calls, joins lines of output, and groups calls that only looked at something. */
export function toSteps(transcript: readonly TranscriptEntry[]): readonly Step[] {
  const steps: Step[] = []
  const open = new Map<string, Call>()
  let lastCall: Call | undefined
  for (const entry of transcript) {
    const last = steps.at(-1)
    switch (entry.kind) {
      case 'usage':
        break
      case 'message':
      case 'thought':
      case 'output':
        if (entry.kind === 'output' && last?.kind === 'text' && last.is === 'output') last.text += `\n${entry.text}`
        else steps.push({ kind: 'text', is: entry.kind, at: entry.at, text: entry.text })
        break
      case 'tool-call':
        lastCall = { kind: 'call', at: entry.at, tool: entry.tool, about: entry.about ?? '', result: null }
        if (entry.id !== undefined) open.set(entry.id, lastCall)
        steps.push(lastCall)
        break
      case 'tool-result': {
        const call = entry.id === undefined ? lastCall : open.get(entry.id)
        const result = { text: entry.text, failed: entry.failed ?? false }
        if (call && call.result === null) call.result = result
        else steps.push({ kind: 'call', at: entry.at, tool: 'Result', about: '', result })
        break
      }
      case 'denied':
      case 'error':
        steps.push(entry)
    }
  }
  return groupLooks(steps)
}

function groupLooks(steps: readonly Step[]): readonly Step[] {
  const grouped: Step[] = []
  let calls: Call[] = []
  const close = (): void => {
    const [first] = calls
    if (first && calls.length >= groupFrom) grouped.push({ kind: 'looks', at: first.at, calls })
    else grouped.push(...calls)
    calls = []
  }
  for (const step of steps) {
    if (step.kind === 'call' && iconOfTool(step.tool) === 'eye' && !step.result?.failed) calls.push(step)
    else {
      close()
      grouped.push(step)
    }
  }
  close()
  return grouped
}

export const countSteps = (steps: readonly Step[]): number =>
  steps.reduce((sum, step) => sum + (step.kind === 'looks' ? step.calls.length : 1), 0)

const icons: readonly (readonly [RegExp, IconName])[] = [
  [/write|edit|patch|create|replace|insert/i, 'pencil'],
  [/read|view|glob|grep|search|list|find|^ls$|^cat$|fetch/i, 'eye'],
  [/bash|shell|run|exec|command|terminal/i, 'term'],
]

/** The icon of a tool, by its name. */
export const iconOfTool = (tool: string): IconName => icons.find(([names]) => names.test(tool))?.[1] ?? 'file'
