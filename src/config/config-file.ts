import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import type { SettingValue } from '../contract/config/setting.ts'
import type { ConfigShape } from '../contract/config/shape.ts'
import { type SharedRules, sharedRules } from '../contract/config/shared.ts'
import { findNearest } from '../contract/nearest.ts'
import { firstBrokenLine, readNamedFile } from './input/named-file.ts'
import { type ConfigProblem, findSecretLines, formatExcerpt, formatKeyPath } from './problem.ts'
import type { SettingSource, Tier } from './settings.ts'
import { type Path, parseYaml, type YamlSource } from './yaml-source.ts'

export type ConfigFile = {
  readonly claims: readonly SettingSource[]
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
  const warnings = tier === 'workspace' ? findSecretLines(text).map((line) => secretWarning(shown, line)) : []
  if (!source.content) return { claims: [], procedures: [], problems: source.problems, warnings }

  // A file of comments alone holds null, and is as good as none.
  const parsed = shape.schema.safeParse(source.content.value ?? {})
  const found = [
    ...source.problems,
    ...(parsed.error?.issues ?? []).flatMap((issue) => toProblems(issue, shape, source, shown)),
  ]
  // Read on its own, so that a mistake elsewhere in the file does not hide it.
  const written = Object(source.content.value) as Readonly<Record<string, unknown>>
  const sandbox = sharedRules.sandbox.schema.safeParse(written.sandbox).data
  const config = parsed.data ?? {}
  const procedures = Object.entries(config.procedures ?? {})
  const listClaims = (values: object, path: Path, asTier: Tier, procedure: string | null): readonly SettingSource[] =>
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
      ...listClaims(own, [], tier, null),
      ...procedures.flatMap(([name, values]) => listClaims(values, ['procedures', name], 'procedure', name)),
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

function toProblems(
  issue: z.core.$ZodIssue,
  shape: ConfigShape,
  source: YamlSource,
  file: string,
): readonly ConfigProblem[] {
  const key = formatKeyPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const allowed = Object.keys(issue.path.length === 0 ? shape.schema.shape : shape.procedure)
    return issue.keys.map((name) => ({
      file,
      ...source.keyAt([...issue.path, name]),
      key: formatKeyPath([...issue.path, name]),
      what: 'unknown key',
      found: formatExcerpt(name),
      allowed: allowed.join(', '),
      nearest: findNearest(name, allowed),
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

type Sandbox = SettingValue<SharedRules['sandbox']>

const weakestFirst: readonly Sandbox[] = ['off', 'auto', 'required']

/** A repository may ask for more protection than the person has, never for less. */
function weakerSandbox(
  asked: Sandbox | undefined,
  least: Sandbox | undefined,
  place: Pick<ConfigProblem, 'file' | 'line' | 'column'>,
): readonly ConfigProblem[] {
  if (asked === undefined || least === undefined) return []
  const enough = weakestFirst.slice(weakestFirst.indexOf(least))
  if (enough.includes(asked)) return []
  return [
    {
      ...place,
      key: 'sandbox',
      what: `a repository cannot weaken your sandbox (${least})`,
      found: asked,
      allowed: enough.join(', '),
      next: `Remove it there; if you want it, say --sandbox ${asked} or set it in your own config.yml.`,
    },
  ]
}

/** Keys a repository may not set, because it could redirect traffic. */
function refuseUserOnly(
  { workspace, procedure }: ConfigShape,
  written: Readonly<Record<string, unknown>>,
  placeOf: (path: Path) => Pick<ConfigProblem, 'file' | 'line' | 'column'>,
): readonly ConfigProblem[] {
  const procedures = Object.entries(Object(written.procedures) as object)
  const levels = [
    { path: [], rules: workspace, values: written },
    ...procedures.map(([name, values]) => ({ path: ['procedures', name], rules: procedure, values: Object(values) })),
  ]
  return levels.flatMap(({ path, rules, values }) =>
    Object.entries(rules).flatMap(([key, { userOnly }]) => {
      if (!userOnly || values[key] === undefined) return []
      const full = [...path, key]
      return [{ ...placeOf(full), key: formatKeyPath(full), allowed: 'nothing here', ...userOnly }]
    }),
  )
}

const mostBytes = 1024 * 1024

type FileText = { readonly text: string | null; readonly problems: readonly ConfigProblem[] }

/** The text of a config file; `null` without problems where there is none. */
function readText(path: string, shown: string): FileText {
  const refuse = (found: string, next: string, line: number | null = null): FileText => {
    const allowed = 'a readable text file in UTF-8 of at most 1 MiB'
    const column = line === null ? null : 1
    return {
      text: null,
      problems: [{ file: shown, line, column, key: '', what: 'cannot be read', found, allowed, next }],
    }
  }
  const bytes = readNamedFile(path, mostBytes)
  if (bytes === 'missing') return { text: null, problems: [] }
  if (typeof bytes === 'string') return refuse(bytes, 'Put a text file in its place, or remove it.')
  if (bytes.length > mostBytes) return refuse('more than 1 MiB', 'Make it smaller.')
  if (!isUtf8(bytes)) return refuse('bytes that are not UTF-8', 'Save the file as UTF-8.', firstBrokenLine(bytes))
  // The decoder drops a byte order mark, so columns count from the first letter.
  return { text: new TextDecoder().decode(bytes), problems: [] }
}
