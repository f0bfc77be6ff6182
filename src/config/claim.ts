export type Tier = 'built-in' | 'user' | 'workspace' | 'procedure' | 'environment' | 'flag'

export type Origin = {
  readonly tier: Tier
  /** `.pawl/config.yml:12`, `PAWL_MAX_ITERATIONS`, `--max-iterations` or `built-in`. */
  readonly where: string
}

/** One place that sets one key. `procedure` is null where it holds for all of them. */
export type Claim = {
  readonly key: string
  readonly value: unknown
  readonly origin: Origin
  readonly procedure: string | null
  /** Written in a file that comes with the repository, so not by the person who runs it. */
  readonly fromRepository: boolean
}
