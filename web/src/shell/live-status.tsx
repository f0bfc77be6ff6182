import { formatClock, formatUtc } from '../format.ts'
import { reconnect, useLiveStatus } from '../live.ts'

const words = {
  live: 'Live',
  late: 'Reconnecting',
  lost: 'Live updates unavailable; falling back to refresh',
}
const tones = { live: 'ok', late: 'you', lost: 'off' }

/** Whether the page follows the runs. Nothing is cleared when it does not. */
export function LiveStatus() {
  const { is, seenAt } = useLiveStatus()
  return (
    <div className="flex items-center gap-1.5 px-2">
      <span role="status" className="flex items-center gap-1.5 text-xs text-ink-2">
        <span className={`st st-${tones[is]} dot`} />
        <span className={is === 'lost' ? 'max-w-40' : ''}>{words[is]}</span>
      </span>
      {is === 'lost' && (
        <button
          type="button"
          className="btn btn-sm btn-line !h-7 max-md:hidden"
          title={`Last seen ${formatClock(seenAt, true)} (${formatUtc(seenAt)})`}
          onClick={reconnect}
        >
          Try now
        </button>
      )}
    </div>
  )
}
