import type { Timeline } from '../../../src/contract/web.ts'
import type { IconName } from '../parts/icon.tsx'
import type { Tone } from '../standing.ts'
import { lookOfAttempt, nameTask } from '../timeline/look.ts'
import { describePause } from '../timeline/row.tsx'
import type { Scale } from '../timeline/scale.ts'

export type Mark = {
  readonly at: number
  readonly place: number
  readonly tone: Tone
  readonly icon: IconName
  readonly label: string
}

const worst: readonly Tone[] = ['you', 'bad', 'off', 'up', 'run', 'ok']

/** Verdicts, waits and questions along the slider. Marks nearer than `apart` become one. */
export function listMarks({ tasks, pauses }: Timeline, scale: Scale, apart: number): Mark[] {
  const verdicts = tasks
    .filter(({ chore }) => !chore)
    .flatMap((task) =>
      task.attempts.flatMap((attempt): Mark[] => {
        const { tone, glyph, word } = lookOfAttempt(attempt, false)
        if (attempt.to === null || !glyph || glyph === 'wait') return []
        return [
          { at: attempt.to, place: scale.place(attempt.to), tone, icon: glyph, label: `${nameTask(task)} ${word}` },
        ]
      }),
    )
  const breaks = pauses.map(({ kind, from, says }): Mark => {
    const isQuestion = kind === 'question'
    const label = says || describePause(kind)
    return {
      at: from,
      place: scale.place(from),
      tone: isQuestion ? 'you' : 'off',
      icon: isQuestion ? 'bang' : 'wait',
      label,
    }
  })
  return merge(
    [...verdicts, ...breaks].toSorted((a, b) => a.at - b.at),
    apart,
  )
}

function merge(marks: readonly Mark[], apart: number): Mark[] {
  const merged: Mark[] = []
  for (const mark of marks) {
    const last = merged.at(-1)
    if (!last || mark.place - last.place >= apart) {
      merged.push(mark)
      continue
    }
    const shown = worst.indexOf(mark.tone) < worst.indexOf(last.tone) ? mark : last
    merged[merged.length - 1] = { ...last, tone: shown.tone, icon: shown.icon, label: `${last.label}; ${mark.label}` }
  }
  return merged
}
