import type { Granularity } from '../../../contract/plan.ts'

/**
 * What a line is. Besides what may become stories: a `check` is a box to tick without id or section of tasks; an `aside` is
 * asked for but is no work of its own, such as a constraint or a goal to measure; a `detail` says more about the line it
 * stands below, `prose` does so in a paragraph.
 */
export type Kind = Granularity | 'check' | 'aside' | 'detail' | 'prose'

/** The first of these that a PRD has becomes its stories. */
export const ladder = ['task', 'user-story', 'requirement', 'criterion', 'check', 'phase', 'aside'] as const
