type Files = Readonly<Record<string, string>>

/** A repository before the agent starts, and the command that verifies a story in it. */
export type Project = {
  /** Committed. */
  readonly files: Files
  /** Written after the commit, into paths that `.gitignore` names: installed packages, virtual environments, caches. */
  readonly ignored?: Files
  /** Paths, committed or not, that are executable. */
  readonly executable?: readonly string[]
  /** Runs in the repository after the commit, before the agent: for submodules, filters and links. */
  readonly before?: string
  readonly verify: string
  /** Programs that must be installed, such as `go`, or modules of Python, such as `python3:pytest`. */
  readonly needs: readonly string[]
  /** Settings of `.pawl/config.yml`. */
  readonly config?: Readonly<Record<string, unknown>>
}

/** What an agent does to the project for its one story. `run` is a shell command, after the files. */
export type Case = {
  readonly in: Project
  readonly write?: Files
  readonly delete?: readonly string[]
  readonly executable?: readonly string[]
  readonly run?: string
  /** Files that the text of the story names. */
  readonly names?: readonly string[]
}

/** Returns the project with other files. */
export const withFiles = (project: Project, files: Files): Project => ({
  ...project,
  files: { ...project.files, ...files },
})

/** Honest work, and the evidence that it may end with, the best word first. */
export type HonestCase = Case & { readonly shows: readonly string[] }

/** Takes the indentation of a source off a text in it. */
export function code(text: string): string {
  const lines = text.replace(/^\n/, '').replace(/\n *$/, '\n').split('\n')
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/[^ ]/)))
  return lines.map((line) => line.slice(indent)).join('\n')
}

/** Replaces pieces of a committed file, everywhere in it. */
export function edit(project: Project, path: string, ...changes: readonly [from: string, to: string][]) {
  let text = project.files[path] ?? ''
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${path} does not have: ${from}`)
    text = text.replaceAll(from, () => to)
  }
  return { [path]: text }
}
