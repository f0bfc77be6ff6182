import type { Action } from '../../../contract/show.ts'
import type { Reported } from '../../../run/reports/report.ts'
import { type Rendering, renderAction } from '../../terminal/render.ts'

/** A report for machines. What goes on with the run is the command, since whoever reads this starts programs. */
export function reportJson({ json }: Pick<Reported, 'json'>, rendering: Rendering): Readonly<Record<string, unknown>> {
  const next = json.next as Action | null
  return { ...json, next: next && renderAction(next, rendering) }
}
