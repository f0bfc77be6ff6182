import type { AttemptPayload } from '../../../src/contract/web.ts'
import { useNow } from '../clock.ts'
import { capitalize, formatTicking } from '../format.ts'
import { Spans } from '../shown/spans.tsx'
import { describeConsequence, lookAt } from './look.ts'

/** How the attempt ended and why, and what followed. */
export function Verdict({ data }: { readonly data: AttemptPayload }) {
  const { attempt } = data
  const { tone, word, isOpen, isKept } = lookAt(data, attempt)
  const error = data.lines.findLast(({ isError }) => isError)
  const then = isKept ? '' : describeConsequence(attempt)
  return (
    <section id="verdict" className={`card card-edge st st-${tone} mb-5 px-5 py-4`} aria-labelledby="verdict-title">
      <h2 id="verdict-title" className="text-lg !font-medium wrap-anywhere">
        {capitalize(word)}
        {isOpen ? <Since at={attempt.from} /> : attempt.says !== '' ? `: ${attempt.says}` : '.'}
      </h2>
      {attempt.says === '' && error && (
        <p className="mt-1 wrap-anywhere">
          <Spans line={error.line} at={error.at} />
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-2 text-ink-2 empty:hidden">
        {attempt.score !== null && (
          <p className="mt-1">
            Score <span className="font-medium text-ink">{attempt.score}</span>
            {then !== '' && '.'}
          </p>
        )}
        {then !== '' && <p className="mt-1">Then: {then}.</p>}
      </div>
    </section>
  )
}

function Since({ at }: { readonly at: number }) {
  return ` for ${formatTicking(useNow() - at)}.`
}
