import type { z } from 'zod'
import type { ConfigShape } from '../contract/config/shape.ts'
import { sharedRules } from '../contract/config/shared.ts'
import { nearest } from '../contract/nearest.ts'
import type { Claim, Tier } from './claim.ts'
import { readText } from './file.ts'
import { type ConfigProblem, dotted, excerpt } from './problem.ts'
import { type Sandbox, weakerSandbox } from './sandbox.ts'
import { linesWithSecrets } from './secrets.ts'
import { refuseUserOnly } from './user-only-keys.ts'
import { type Path, parseYaml, type YamlSource } from './yaml-source.ts'

export type ConfigFile = {
  readonly claims: readonly Claim[]
  readonly procedures: readonly string[]
  readonly sandbox?: Sandbox | undefined
  readonly problems: readonly ConfigProblem[]
  readonly warnings: readonly string[]
}

export type FileTier = {
  readonly path: string
  readonly shown: string
  readonly tier: 'user' | 'workspace'
  readonly leastSandbox?: Sandbox
}

export async function readConfigFile(
  shape: ConfigShape,
  { path, shown, tier, leastSandbox }: FileTier,
): Promise<ConfigFile> {
  const { text, problems } = readText(path, shown)
  if (text === null) return { claims: [], procedures: [], problems, warnings: [] }
  const source = parseYaml(shown, text)
  const warnings = tier === 'workspace' ? linesWithSecrets(text).map((line) => secretWarning(shown, line)) : []
  if (!source.content) return { claims: [], procedures: [], problems: source.problems, warnings }

  // A file of comments alone holds null, and is as good as none.
  const parsed = shape.schema.safeParse(source.content.value ?? {})
  const found = [
    ...source.problems,
    ...(parsed.error?.issues ?? []).flatMap((issue) => problemsOf(issue, shape, source, shown)),
  ]
  // Read on its own, so that a mistake elsewhere in the file does not hide it.
  const written = Object(source.content.value) as Readonly<Record<string, unknown>>
  const sandbox = sharedRules.sandbox.schema.safeParse(written.sandbox).data
  const config = parsed.data ?? {}
  const procedures = Object.entries(config.procedures ?? {})
  const claimsIn = (values: object, path: Path, asTier: Tier, procedure: string | null): readonly Claim[] =>
    Object.entries(values).map(([key, value]) => ({
      key,
      value,
      origin: { tier: asTier, where: `${shown}:${source.keyAt([...path, key]).line}` },
      procedure,
      fromRepository: tier === 'workspace',
    }))
  const { $schema: _, procedures: __, ...own } = config
  return {
    claims: [
      ...claimsIn(own, [], tier, null),
      ...procedures.flatMap(([name, values]) => claimsIn(values, ['procedures', name], 'procedure', name)),
    ],
    procedures: procedures.map(([name]) => name),
    sandbox,
    problems: firstAtEachPlace([
      ...found,
      ...weakerSandbox(sandbox, leastSandbox, { file: shown, ...source.valueAt(['sandbox']) }),
      ...(tier === 'workspace' ? refuseUserOnly(shape, written, (at) => ({ file: shown, ...source.keyAt(at) })) : []),
    ]),
    warnings,
  }
}

function problemsOf(
  issue: z.core.$ZodIssue,
  shape: ConfigShape,
  source: YamlSource,
  file: string,
): readonly ConfigProblem[] {
  const key = dotted(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const allowed = Object.keys(issue.path.length === 0 ? shape.schema.shape : shape.procedure)
    return issue.keys.map((name) => ({
      file,
      ...source.keyAt([...issue.path, name]),
      key: dotted([...issue.path, name]),
      what: 'unknown key',
      found: excerpt(name),
      allowed: allowed.join(', '),
      nearest: nearest(name, allowed),
      next: 'Rename or remove it.',
    }))
  }
  if (issue.code === 'invalid_key') {
    const [named] = issue.issues
    const next = 'Rename the procedure.'
    return [
      { file, ...source.keyAt(issue.path), key, what: 'wrong name', allowed: named?.message ?? issue.message, next },
    ]
  }
  const next = 'Correct the value, or remove the line to go without it.'
  return [{ file, ...source.valueAt(issue.path), key, what: 'wrong value', allowed: issue.message, next }]
}

const secretWarning = (file: string, line: number): string =>
  `${file}:${line} holds what looks like a secret: remove it, change the key at its provider, and name the variable in secrets`

/** One value can break several checks; one line about it is enough. */
function firstAtEachPlace(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const seen = new Set<string>()
  return problems.filter(({ line, column, key }) => {
    const place = `${line}:${column}:${key}`
    return !seen.has(place) && seen.add(place)
  })
}
