import type { Rubric } from '../../../contract/rubric.ts'
import { general } from './general.ts'
import { prd } from './prd.ts'

const shipped: readonly Rubric[] = [general, prd]

export const rubricNames: readonly string[] = shipped.map(({ id }) => id)

export const findRubric = (name: string): Rubric | undefined => shipped.find(({ id }) => id === name)
