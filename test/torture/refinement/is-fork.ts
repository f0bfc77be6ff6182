import type { RefinementRequest } from '../../../src/modes/refinement/contract/request.ts'
import { type RunFolder, requestAt } from '../../support/runs.ts'

export const isFork = ({ dir }: RunFolder): boolean => requestAt<RefinementRequest>(dir).with.parent !== undefined
