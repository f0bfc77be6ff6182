import type { Notice } from '../../../src/contract/show.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import type { Tone } from '../standing.ts'

/** What a person should look at, most important first. */
export function Notices({ notices }: { readonly notices: readonly Notice[] }) {
  const ordered = notices.toSorted((a, b) => b.weight - a.weight)
  return (
    <ol className="divide-y divide-line">
      {ordered.map((notice, index) => {
        const { icon, tone } = lookOf(notice.weight)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two notices may be about the same thing
          <li key={`${notice.about}-${index}`} className="flex items-start gap-3 px-4 py-2.5">
            <span className={`st st-${tone} fg mt-0.5`}>
              <Icon name={icon} />
            </span>
            <div className="min-w-0 flex-1 wrap-anywhere">
              <p>{notice.says}</p>
              {notice.lines.length > 0 && <pre className="pre mt-1.5">{notice.lines.join('\n')}</pre>}
              {notice.log && <p className="mono-sm text-ink-3 mt-1">{notice.log}</p>}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** The colour says how much a notice weighs, nothing else. */
function lookOf(weight: number): { icon: IconName; tone: Tone } {
  if (weight >= 90) return { icon: 'bad', tone: 'bad' }
  return weight >= 50 ? { icon: 'you', tone: 'you' } : { icon: 'flag', tone: 'off' }
}
