import type { AttemptPayload } from '../../../src/contract/web.ts'
import { countOf } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Folded } from './folded.tsx'
import { countLines, Well } from './well.tsx'

/** The ends of what its processes printed, such as commands that verify it. */
export function Outputs({ data: { outputs, attempt, task } }: { readonly data: AttemptPayload }) {
  const prefix = `${task.id}-attempt-${attempt.n}-`
  const isRejected = attempt.verdict === 'failed' || attempt.outcome === 'failed'
  return (
    <div id="outputs">
      <Card title="Outputs" note={countOf(outputs.length, 'process', 'processes')}>
        <div className="divide-y divide-line">
          {outputs.map(({ name, text, cut }, index) => (
            <Folded
              key={name}
              name={name.startsWith(prefix) ? name.slice(prefix.length) : name}
              note={text === '' ? 'empty' : countLines(text)}
              copy={text}
              isOpen={isRejected && index === outputs.length - 1 && text !== ''}
            >
              <Well text={text} cut={cut} fromEnd />
            </Folded>
          ))}
        </div>
      </Card>
    </div>
  )
}
