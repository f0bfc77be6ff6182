import { MissingRun, Skeleton } from '../parts/states.tsx'
import { useRun } from '../queries.ts'
import { useTitle } from '../use-page.ts'
import { Replay } from './replay.tsx'

/** The run as it was after any of its events. */
export default function ReplayPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useRun(id)
  useTitle(data ? `${data.row.name}, replay` : '')
  if (data) return <Replay whole={data} />
  return error ? <MissingRun error={error} onRetry={() => void refetch()} /> : <Skeleton heights={[120, 96, 320]} />
}
