import type { SapRunPayload } from '../../../src/contract/web.ts'
import { formatClock } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { Spans, Time } from '../shown/spans.tsx'
import type { LogRow } from './log-rows.ts'
import { findRow, lookOfMessage } from './message-look.ts'

type MessagesProps = { readonly messages: SapRunPayload['messages']; readonly rows: readonly LogRow[] }

/** What the run said, word for word. New messages are added at the end; none is replaced. */
export function Messages({ messages, rows }: MessagesProps) {
  return (
    <div role="log" aria-live="polite" aria-label="Messages of the run">
      <ol className="sap-messages">
        {messages.map(({ n, at, line, isError }, index) => {
          const { tone, icon } = lookOfMessage(findRow(messages, index, rows), isError)
          return (
            <li key={n} className={`st st-${tone}`}>
              <Time at={at} text={formatClock(at, true)} />
              <span className="fg">
                <Icon name={icon} />
              </span>
              <span className={`wrap-anywhere ${tone === 'off' ? '' : 'font-medium'}`}>
                <Spans line={line} at={at} plain />
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
