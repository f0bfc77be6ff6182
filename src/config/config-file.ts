import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import type { SettingValue } from '../contract/config/setting.ts'
import type { ConfigShape } from '../contract/config/shape.ts'
import { type SharedRules, sharedRules } from '../contract/config/shared.ts'
import { findNearest } from '../contract/nearest.ts'
import { findInvalidUtf8Line, readNamedFile } from './input/named-file.ts'
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
  /** The minimum that a repository may ask for. */
  readonly userSandbox?: Sandbox
}

export async function readConfigFile(
  shape: ConfigShape,
  { path, shown, tier, userSandbox }: FileTier,
): Promise<ConfigFile> {
  const { text, problems } = readText(path, shown)
  if (text === null) return { claims: [], procedures: [], problems, warnings: [] }
  const source = parseYaml(shown, text)
  const warnings = tier === 'workspace' ? findSecretLines(text).map((line) => secretWarning(shown, line)) : []
  if (!source.content) return { claims: [], procedures: [], problems: source.problems, warnings }

  // A file with only comments parses to null and counts as empty.
  const parsed = shape.schema.safeParse(source.content.value ?? {})
  const found = [
    ...source.problems,
    ...(parsed.error?.issues ?? []).flatMap((issue) => toProblems(issue, shape, source, shown)),
  ]
  // Parsed on its own, so that an error elsewhere in the file does not hide it.
  const rawValues = Object(source.content.value) as Readonly<Record<string, unknown>>
  const sandbox = sharedRules.sandbox.schema.safeParse(rawValues.sandbox).data
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
      ...weakerSandbox(sandbox, userSandbox, { file: shown, ...source.valueAt(['sandbox']) }),
      ...(tier === 'workspace' ? refuseUserOnly(shape, rawValues, (at) => ({ file: shown, ...source.keyAt(at) })) : []),
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
  const next = 'Correct the value, or remove the line.'
  return [{ file, ...source.valueAt(issue.path), key, what: 'wrong value', allowed: issue.message, next }]
}

const secretWarning = (file: string, line: number): string =>
  `${file}:${line} seems to contain a secret: remove it, revoke the key, and list its environment variable under secrets`

/** Keeps one problem per place: one value can fail several checks. */
function firstAtEachPlace(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const seen = new Set<string>()
  return problems.filter(({ line, column, key }) => {
    const place = `${line}:${column}:${key}`
    return !seen.has(place) && seen.add(place)
  })
}

type Sandbox = SettingValue<SharedRules['sandbox']>

const weakestFirst: readonly Sandbox[] = ['off', 'auto', 'required']

/** A repository may ask for a stricter sandbox than the user has, never for a weaker one. */
function weakerSandbox(
  asked: Sandbox | undefined,
  userSandbox: Sandbox | undefined,
  place: Pick<ConfigProblem, 'file' | 'line' | 'column'>,
): readonly ConfigProblem[] {
  if (asked === undefined || userSandbox === undefined) return []
  const enough = weakestFirst.slice(weakestFirst.indexOf(userSandbox))
  if (enough.includes(asked)) return []
  return [
    {
      ...place,
      key: 'sandbox',
      what: `a repository cannot weaken your sandbox (${userSandbox})`,
      found: asked,
      allowed: enough.join(', '),
      next: 'Remove it; if you want it, set it in your own config.yml or in PAWL_SANDBOX.',
    },
  ]
}

/** Keys a repository may not set, because it could redirect traffic. */
function refuseUserOnly(
  { workspace, procedure }: ConfigShape,
  rawValues: Readonly<Record<string, unknown>>,
  placeOf: (path: Path) => Pick<ConfigProblem, 'file' | 'line' | 'column'>,
): readonly ConfigProblem[] {
  const procedures = Object.entries(Object(rawValues.procedures) as object)
  const levels = [
    { path: [], rules: workspace, values: rawValues },
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

const maxBytes = 1024 * 1024

type FileText = { readonly text: string | null; readonly problems: readonly ConfigProblem[] }

/** Reads a config file. A missing file gives `null` and no problem. */
function readText(path: string, shown: string): FileText {
  const refuse = (found: string, next: string, line: number | null = null): FileText => {
    const allowed = 'a readable text file in UTF-8 of at most 1 MiB'
    const column = line === null ? null : 1
    return {
      text: null,
      problems: [{ file: shown, line, column, key: '', what: 'cannot be read', found, allowed, next }],
    }
  }
  const bytes = readNamedFile(path, maxBytes)
  if (bytes === 'missing') return { text: null, problems: [] }
  if (typeof bytes === 'string') return refuse(bytes, 'Replace it with a text file, or remove it.')
  if (bytes.length > maxBytes) return refuse('more than 1 MiB', 'Make it smaller.')
  if (!isUtf8(bytes)) return refuse('bytes that are not UTF-8', 'Save the file as UTF-8.', findInvalidUtf8Line(bytes))
  // The decoder drops a byte order mark, so columns count from the first character.
  return { text: new TextDecoder().decode(bytes), problems: [] }
}
