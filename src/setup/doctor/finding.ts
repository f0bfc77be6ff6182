export type Finding = {
  readonly check: string
  /** `absent` is no problem: not installed and not needed. */
  readonly status: 'ok' | 'absent' | 'weak' | 'fail'
  readonly says: string
  readonly fix?: string
}
