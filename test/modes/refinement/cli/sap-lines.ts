import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type SapLine = {
  readonly timestamp: string
  readonly task_id: string
  readonly branch: string | null
  readonly uuid: string
  readonly correlation_id: string
  readonly model_used: string | null
  readonly elapsed_ms: number
  readonly engine_ms: number
  readonly score: number | null
  readonly raw_score: number | null
  readonly calibration_id: string | null
  readonly iteration: number | null
  readonly sub_agent: null
  readonly queue_job_id: null
  readonly pruned_tokens: number | null
  readonly outcome: string | null
  readonly event: string
  readonly detail: string | null
}

/** What a workspace's sap.log says. */
export const sapLines = (workspace: string): SapLine[] =>
  readFileSync(join(workspace, 'agent_logs', 'sap.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SapLine)

export const of = (lines: readonly SapLine[], event: string): SapLine[] => lines.filter((line) => line.event === event)
