/** One small unit of code, such as `alphaS1`, that returns a number and may use an earlier unit. */
export type Unit = {
  readonly name: string
  readonly value: number
  readonly uses: string | undefined
}

/** How a unit and its test are written in one language and one kind of test. */
export type Language = {
  /** The product file and the test file of a unit; test files are listed last. */
  files(unit: Unit): Readonly<Record<string, string>>
  /** Path of a unit's test. */
  test(name: string): string
}

export type Recipe = {
  readonly name: string
  readonly ecosystem: string
  /** Programs that must be installed. */
  readonly needs: readonly string[]
  /** Shell commands that create the repository in an empty folder of this name. They may use the network. */
  readonly make: readonly string[]
  /** Gates that `pawl init` must find. */
  readonly gates: readonly string[]
  /** The repository's own tests. */
  readonly suite: string
  readonly language: Language
  /** Its gates fail before anybody has changed anything. */
  readonly isRed?: true
  /** More variables of the user. */
  readonly env?: Readonly<Record<string, string>>
}

/** A small repository that git treats in a special way, with a first commit. `make` runs beside it. */
export type Variant = Omit<Recipe, 'needs'> & {
  /** The repository's folder, `repo` if not given. */
  readonly folder?: string
  /** The folder of the repository in which the user calls pawl. */
  readonly cwd?: string
}

/** What a journey needs to know of a repository. */
export type Journey = Pick<Recipe, 'gates' | 'suite' | 'language' | 'isRed'>
