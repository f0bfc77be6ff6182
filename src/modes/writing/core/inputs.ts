import type { Base, Brief } from '../contract/request.ts'

/** The content that rules, work and reports need, loaded once. */
export type Inputs = { readonly base: Base; readonly brief: Brief }
