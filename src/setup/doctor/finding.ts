export type Finding = {
  readonly check: string
  /** `absent` is fine: it is not there, and nothing needs it. */
  readonly status: 'ok' | 'absent' | 'weak' | 'fail'
  readonly says: string
  readonly fix?: string
}
