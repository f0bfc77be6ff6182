import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getAttempt } from '../api.ts'
import { keys } from '../queries.ts'

/** An attempt. The key begins with that of its run, so that a change of the run fetches it again. */
export const useAttempt = (id: string, task: string, n: number) =>
  useQuery({
    queryKey: [...keys.run(id), 'attempt', task, n],
    queryFn: ({ signal }) => getAttempt(id, task, n, signal),
    placeholderData: keepPreviousData,
  })
