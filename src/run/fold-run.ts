import type { LoopEvent } from '../contract/event.ts'
import type { View } from '../kernel/policy.ts'
import { advance, emptyView } from '../kernel/step.ts'
import { readFrozenRequest } from './frozen-request.ts'
import { bindMode } from './modes.ts'

export type { View }

/** Follows a run's events one by one, as the loop itself does. */
export function foldOf(dir: string): (event: LoopEvent) => View<unknown> {
  return bindMode(readFrozenRequest(dir).original).use((mode, request) => {
    const policy = mode.policy(request, dir)
    let view = emptyView(policy)
    return (event) => {
      view = advance(view, event, policy)
      return view
    }
  })
}
