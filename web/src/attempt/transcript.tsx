import { type ReactNode, useState } from 'react'
import { countOf, formatClock, formatDuration } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../shown/spans.tsx'
import { type Call, countSteps, iconOfTool, type Step } from './steps.ts'
import { LongText } from './well.tsx'

type TranscriptProps = { readonly steps: readonly Step[]; readonly omitted: number }

/** The conversation with the agent. Tool calls are one line each; what failed is open. */
export function Transcript({ steps, omitted }: TranscriptProps) {
  const [isOpen, setOpen] = useState(false)
  const hasTimes = steps.some(({ at }) => at !== undefined)
  const hasCalls = steps.some(({ kind }) => kind === 'call' || kind === 'looks')
  const last = steps.findLast(({ kind }) => kind === 'text')
  const toggle = hasCalls && (
    <button type="button" className="btn btn-sm btn-quiet !h-7" aria-pressed={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? 'Close all' : 'Open all'}
    </button>
  )
  return (
    <div id="did">
      <Card title="What it did" note={summarize(steps)} actions={toggle}>
        {omitted > 0 && (
          <p className="px-4 py-2.5 border-b border-line text-sm text-ink-2">
            {countOf(omitted, 'earlier entry is', 'earlier entries are')} not shown.
          </p>
        )}
        <ol className={`py-2.5 ${hasTimes ? '' : 'steps-untimed'}`}>
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the conversation
            <li key={`${index}-${isOpen}`} className="step">
              {hasTimes && (step.at === undefined ? <span /> : <Time at={step.at} text={formatClock(step.at, true)} />)}
              <StepView step={step} isOpen={isOpen} isLast={step === last} />
            </li>
          ))}
        </ol>
      </Card>
    </div>
  )
}

function summarize(steps: readonly Step[]): string {
  const times = steps.flatMap(({ at }) => at ?? [])
  const [from, to] = [times[0], times.at(-1)]
  const length = from !== undefined && to !== undefined && to > from ? `, ${formatDuration(to - from)}` : ''
  return `${countOf(countSteps(steps), 'step', 'steps')}${length}`
}

type StepProps = { readonly step: Step; readonly isOpen: boolean; readonly isLast: boolean }

function StepView({ step, isOpen, isLast }: StepProps) {
  switch (step.kind) {
    case 'text':
      return <Said step={step} isLast={isLast} />
    case 'call':
      return <CallView call={step} isOpen={isOpen} />
    case 'looks':
      return <Looks calls={step.calls} isOpen={isOpen} />
    case 'denied':
      return (
        <Flagged tone="you" icon="lock" word="Denied">
          {step.tool} {step.about && <code className="mono-sm">{step.about}</code>}
        </Flagged>
      )
    case 'error':
      return (
        <Flagged tone="bad" icon="bad" word={step.status === undefined ? 'Error' : `Error ${step.status}`}>
          {step.message}
          {step.retry && (
            <span className="text-ink-2">
              , retry {step.retry.attempt}
              {step.retry.of !== undefined && ` of ${step.retry.of}`}
            </span>
          )}
        </Flagged>
      )
  }
}

type SaidProps = { readonly step: Extract<Step, { kind: 'text' }>; readonly isLast: boolean }

function Said({ step: { is, text }, isLast }: SaidProps) {
  if (is === 'output') return <pre className="pre my-1">{isLast ? text : <LongText text={text} lines={12} />}</pre>
  if (is === 'thought') {
    return (
      <details className="tool">
        <summary>
          <Icon name="chat" />
          <span className="truncate">{text.trim().split('\n', 1)[0]}</span>
          <span className="res">thought</span>
          <Icon name="right" className="chev" />
        </summary>
        <div className="say text-ink-2">{text}</div>
      </details>
    )
  }
  return <div className="say">{isLast ? text : <LongText text={text} lines={12} />}</div>
}

function CallView({ call, isOpen }: { readonly call: Call; readonly isOpen: boolean }) {
  const { tool, about, result } = call
  const failed = result?.failed ?? false
  const head = (
    <>
      <Icon name={iconOfTool(tool)} />
      <b>{tool}</b>
      <code>{about.split('\n', 1)[0]}</code>
      <span className="res">{describeResult(result)}</span>
    </>
  )
  const body = [...(about.includes('\n') ? [about] : []), ...(result && result.text !== '' ? [result.text] : [])]
  if (body.length === 0) return <div className={`tool tool-plain st ${failed ? 'st-bad' : ''}`}>{head}</div>
  return (
    <details className={`tool st ${failed ? 'st-bad' : ''}`} open={isOpen || failed}>
      <summary>
        {head}
        <Icon name="right" className="chev" />
      </summary>
      {body.map((text) => (
        <pre key={text} className="pre">
          <LongText text={text} lines={24} />
        </pre>
      ))}
    </details>
  )
}

/** "failed", the result itself if it is short, else its length. */
function describeResult(result: Call['result']): string {
  if (!result) return ''
  const lines = result.text.trim().split('\n')
  const size = lines.length === 1 && lines[0]!.length <= 32 ? lines[0]! : countOf(lines.length, 'line', 'lines')
  return result.failed ? `failed, ${size}` : size
}

function Looks({ calls, isOpen }: { readonly calls: readonly Call[]; readonly isOpen: boolean }) {
  const tools = [...new Set(calls.map(({ tool }) => tool))]
  return (
    <details className="tool st" open={isOpen}>
      <summary>
        <Icon name="eye" />
        <b>{tools.join(', ')}</b>
        <code>{calls[0]?.about}</code>
        <span className="res">{countOf(calls.length, 'call', 'calls')}</span>
        <Icon name="right" className="chev" />
      </summary>
      <div className="pl-4">
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call is its place in the group
          <CallView key={index} call={call} isOpen={false} />
        ))}
      </div>
    </details>
  )
}

type FlaggedProps = {
  readonly tone: 'you' | 'bad'
  readonly icon: 'lock' | 'bad'
  readonly word: string
  readonly children: ReactNode
}

const Flagged = ({ tone, icon, word, children }: FlaggedProps) => (
  <div className={`say-flag st st-${tone}`}>
    <span className="fg">
      <Icon name={icon} />
    </span>
    <span className="min-w-0 wrap-anywhere">
      <b className="font-medium">{word}</b> {children}
    </span>
  </div>
)
