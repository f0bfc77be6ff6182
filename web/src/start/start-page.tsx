import { useQuery } from '@tanstack/react-query'
import { getForms } from '../api.ts'
import { Icon } from '../parts/icon.tsx'
import { Segments } from '../parts/segments.tsx'
import { EmptyCard, ErrorCard, Skeleton } from '../parts/states.tsx'
import { useQueryParams } from '../router.tsx'
import { useTitle } from '../use-page.ts'
import { StartForm } from './start-form.tsx'

/** Starts a run that needs no agent. Which ones there are, and what they ask, comes from the server. */
export default function StartPage() {
  const [params, change] = useQueryParams()
  const { data, error, refetch } = useQuery({ queryKey: ['start'], queryFn: ({ signal }) => getForms(signal) })
  useTitle('Start')
  const forms = data?.forms ?? []
  const form = forms.find(({ command }) => command === params.get('what')) ?? forms[0]
  return (
    <div className="max-w-[760px] mx-auto pt-7 pb-10">
      <h1 className="text-2xl">{form?.title ?? 'Start'}</h1>
      <p className="text-ink-2 mt-1 mb-5">{form?.says}</p>
      {forms.length > 1 && (
        <div className="mb-5">
          <Segments
            label="What to start"
            value={form?.command ?? ''}
            options={forms.map(({ command, title }) => ({ value: command, label: title }))}
            onChange={(what) => change({ what })}
          />
        </div>
      )}
      {error && !data && <ErrorCard error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton heights={[360]} />}
      {data && !form && <EmptyCard title="Nothing can be started from here.">Runs start in a terminal.</EmptyCard>}
      {form && <StartForm key={form.command} form={form} />}
      <p className="mt-6 text-sm text-ink-3 flex gap-2">
        <Icon name="lock" className="mt-0.5" />
        <span>Runs that start agents are started in a terminal, never from here.</span>
      </p>
    </div>
  )
}
