import type { CallTools } from '../../../calls/ask-model.ts'
import type { Rung } from '../../../contract/models.ts'
import type { Level } from '../contract/project-type.ts'
import type { Base, Brief, WritingRequest } from '../contract/request.ts'
import type { SavePlan, SaveResult } from '../core/save-plan.ts'

export type WritingTools = CallTools & {
  /** The run's id. It becomes the trailer of the commit. */
  readonly run: string
  readonly request: WritingRequest
  readonly brief: Brief
  readonly base: Base
  /** The level to write. */
  readonly level: Level
  rungOf(id: string): Rung
  /** Renders a template of the project's type. */
  render(template: string, values: Readonly<Record<string, unknown>>): string
  estimateTokens(text: string): number
  /** Writes a file of the debug folder. Contract: never throws. */
  debug(name: string, text: string): void
  /** Writes the files and makes one commit. Repeating it changes nothing. */
  save(plan: SavePlan): Promise<SaveResult>
}
