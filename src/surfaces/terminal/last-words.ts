import type { Executed } from '../../run/execution/execute.ts'
import type { OpenRun } from '../../run/open-run.ts'
import { clockTime } from '../../show/format.ts'
import { formatReason } from '../../show/reasons.ts'
import { renderAction } from './render.ts'

export type LastWordsOptions = {
  readonly program: string
  /** The command that goes on with it, where that is not resume. */
  readonly again: string | undefined
  /** Nothing happened: there was nothing left to do. */
  readonly silent: boolean
}

/** The last line is the command that continues, where one does. */
export function lastWords(
  { status, state, exit, error }: Executed,
  open: OpenRun,
  { program, again, silent }: LastWordsOptions,
): string | undefined {
  const { name, address } = open.stored.entry
  const rendering = { program, run: name }
  const resume = again ?? renderAction({ do: 'resume' }, rendering)
  const { question, ended } = state
  switch (status) {
    case 'unsaved':
      return `${program}: ${(error as Error).message}. What was saved is kept. Again: ${resume}`
    case 'interrupted':
      return `[${clockTime(Date.now())}] Interrupted. State saved. Resume with: ${resume}`
    case 'waiting': {
      if (!question) return `It waits. Go on with: ${resume}`
      // A run that is called again by its own command is in no list, so it is found by where it is.
      const answer = renderAction(
        { do: 'answer', run: again ? address : name, ...(question.choices && { choices: question.choices }) },
        rendering,
      )
      return `It asks: ${formatted(open, question.topic)}. Answer with: ${answer}, then: ${resume}`
    }
    case 'ended': {
      if (exit !== 0)
        return again
          ? `To go on: ${again}`
          : `To see why: ${renderAction({ do: 'why' }, rendering)}. To go on: ${resume}`
      if (!silent || !ended) return undefined
      const more = renderAction({ do: 'resume', raise: ['tasks'] }, rendering)
      const further = again || state.caps.tasks === undefined ? '' : ` Further: ${more}`
      return `${name} has completed already (${formatted(open, ended.reason)}).${further}`
    }
  }
}

const formatted = (open: OpenRun, reason: Parameters<typeof formatReason>[1]): string =>
  open.use(({ reasons, show }) => formatReason(reasons, reason, show.setting))
