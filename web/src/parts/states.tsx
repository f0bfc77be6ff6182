import { type ReactNode, useEffect, useState } from 'react'
import { Link, paths } from '../router.tsx'
import { CommandBox } from './command-box.tsx'
import { Icon } from './icon.tsx'
import { describeError } from './toasts.tsx'

const silentMs = 150

/** Shows nothing for 150 ms, so that fast answers do not flicker. */
function useDelay(): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), silentMs)
    return () => clearTimeout(timer)
  }, [])
  return over
}

/** Cards of the final height while the first data loads. */
export function Skeleton({ heights }: { readonly heights: readonly number[] }) {
  const shown = useDelay()
  return (
    <div role="status" aria-busy="true" className="pt-7">
      <span className="sr-only">Loading</span>
      {shown &&
        heights.map((height, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className="card mb-5 p-4 grid content-start gap-3" style={{ height }}>
            <div className="skeleton h-4 w-1/3" />
            <div className="skeleton h-3 w-full" />
            <div className="skeleton h-3 w-2/3" />
          </div>
        ))}
    </div>
  )
}

type ErrorCardProps = {
  readonly error: unknown
  /** What is still true. */
  readonly holds?: string
  readonly command?: string
  readonly onRetry?: () => void
}

/** What happened, what still holds, and what to do. */
export function ErrorCard({ error, holds, command, onRetry }: ErrorCardProps) {
  const { title, text, id } = describeError(error)
  return (
    <div className="card px-4 py-4 my-7 flex flex-wrap items-center gap-3" role="alert">
      <span className="st st-bad fg self-start mt-0.5">
        <Icon name="bad" />
      </span>
      <div className="flex-1 min-w-60">
        <p className="font-medium">{title}</p>
        {text && <p className="text-sm text-ink-2">{text}</p>}
        {holds && <p className="text-sm text-ink-2">{holds}</p>}
        {id && <p className="mono text-xs text-ink-3 mt-1">{id}</p>}
      </div>
      {command && (
        <div className="min-w-60">
          <CommandBox command={command} />
        </div>
      )}
      {onRetry && (
        <button type="button" className="btn btn-sm btn-line" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Says that there is nothing, and what to do. */
export function EmptyCard({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="card px-4 py-8 text-center">
      <p className="font-medium">{title}</p>
      {children && <p className="text-sm text-ink-2 mt-0.5">{children}</p>}
    </div>
  )
}

/** A run that cannot be shown, with the way back. */
export const MissingRun = ({ error, onRetry }: Pick<ErrorCardProps, 'error' | 'onRetry'>) => (
  <>
    <h1 className="text-2xl pt-7">This run cannot be shown</h1>
    <ErrorCard error={error} {...(onRetry && { onRetry })} />
    <p>
      <Link className="link" href={paths.runs}>
        All runs
      </Link>
    </p>
  </>
)
