/**
 * Files that hold both product and checks. Returns the file with the product of one version and the checks of another; either may be missing. The
 * dependencies in a manifest may come from a third. Undefined: not such a file, or it cannot be split.
 */
export function mergeParts(
  path: string,
  product: string | undefined,
  checks: string | undefined,
  dependencies = product,
): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === 'package.json' || name === 'composer.json') return mergeManifest(product, checks, dependencies)
  const texts = { product: product ?? '', checks: checks ?? '', dependencies: dependencies ?? '' }
  if (name === 'pyproject.toml') return mergeToml(texts, kindInPyproject)
  if (name === 'Cargo.toml') return mergeToml(texts, kindInCargo)
  if (name === 'go.mod') return mergeReplaced(product ?? '', checks ?? '')
  const inline = findInline(path, product, checks)
  const own = inline ? mergeInline(product ?? '', checks ?? '', inline) : product
  const without = own && withoutNewDirectives(own, checks ?? '')
  return inline || without !== own ? without : undefined
}

/** Comments that switch a checker off belong to the checks: those that the other version does not have are left out. */
function withoutNewDirectives(product: string, checks: string): string {
  return product.replace(directives, (found) => (checks.includes(found.trim()) ? found : ''))
}
const directives =
  /\/[/*]\s*(?:@ts-(?:nocheck|ignore|expect-error)|eslint-disable|biome-ignore|oxlint-disable|prettier-ignore|c8 ignore|istanbul ignore|nolint)[^\n]*|#\s*(?:type:\s*ignore|noqa|pylint:\s*disable|mypy:\s*ignore|pragma:\s*no cover|ruff:\s*noqa)[^\n]*|#!?\[allow\([^\n]*\)\]|(?<=\/\/[/!] ?(?:```|~~~))[\w,]*(?:no_run|ignore|should_panic|compile_fail|text)\b/g

/** The keys of package.json that belong to the product. All others belong to its checks. */
const productKeys = new Set(
  `name version description keywords homepage bugs license author contributors funding files exports imports main module browser types typings type bin
   man directories repository engines os cpu private publishConfig sideEffects autoload`.split(/\s+/),
)
const dependencyKeys = new Set(
  `dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundleDependencies bundledDependencies overrides
   resolutions workspaces packageManager require require-dev autoload-dev`.split(/\s+/),
)

function mergeManifest(
  product: string | undefined,
  checks: string | undefined,
  dependencies: string | undefined,
): string | undefined {
  const [own, other, third] = [product, checks, dependencies].map((text) => parseObject(text ?? '{}'))
  if (!own || !other || !third) return undefined
  const entries = [
    ...Object.entries(own).filter(([key]) => productKeys.has(key)),
    ...Object.entries(third).filter(([key]) => dependencyKeys.has(key)),
    ...Object.entries(other).filter(([key]) => !productKeys.has(key) && !dependencyKeys.has(key)),
  ]
  // What says the same keeps its form.
  const merged = formatEntries(entries)
  const same = [product, checks].find((text) => merged === formatEntries(Object.entries(parseObject(text ?? '') ?? {})))
  return same ?? `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
}

const formatEntries = (entries: readonly (readonly [string, unknown])[]): string =>
  JSON.stringify(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Manifests whose dependencies are only a part of them. */
export const isSplit = (path: string): boolean => /(?:^|\/)(?:package\.json|composer\.json|pyproject\.toml)$/.test(path)

/** Files that say what is installed. Lock files belong to nobody but the installation. */
export const isManifest = (path: string): boolean =>
  !/(?:^|\/)node_modules\//.test(path) && (isLock(path) || manifests.test(path))
const manifests =
  /(?:^|\/)(?:package\.json|composer\.json|pyproject\.toml|requirements[^/]*\.(?:txt|in)|Pipfile|Gemfile|setup\.py)$/
const isLock = (path: string): boolean =>
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|Cargo\.lock|go\.sum)$/.test(
    path,
  )

/** Returns what an installation depends on. */
export function pickDependencies(path: string, text: string): unknown {
  if (/package\.json$|composer\.json$/.test(path) && !isLock(path)) {
    return Object.entries(parseObject(text) ?? {}).filter(([key]) => dependencyKeys.has(key))
  }
  if (!path.endsWith('pyproject.toml')) return text
  return readEntries(text).flatMap((entry) => (kindInPyproject(entry) === 'dependencies' ? entry.lines : []))
}

export function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A key of a TOML file with its value and the comments after it, or a section without keys. */
type Entry = {
  /** The section and the key, without quotes. */
  readonly name: string
  readonly header: string
  readonly lines: readonly string[]
}

/** Says which part of a file an entry belongs to. Dependencies of Cargo count as product: cargo installs nothing. */
type Kind = 'product' | 'dependencies' | 'checks'

function kindInPyproject({ name }: Entry): Kind {
  if (/^(?:build-system|dependency-groups|project\.(?:optional-)?dependencies|tool\.uv)(?:\.|$)/.test(name))
    return 'dependencies'
  if (/^tool\.(?:poetry|pdm)\.(?:.*\.)?(?:dev-)?dependencies(?:\.|$)/.test(name)) return 'dependencies'
  const isPackaging = /^tool\.(?:poetry|setuptools|hatch\.(?:build|version|metadata)|pdm|flit|maturin)(?:\.|$)/.test(
    name,
  )
  return /^tool(?:\.|$)/.test(name) && !isPackaging ? 'checks' : 'product'
}

function kindInCargo({ name }: Entry): Kind {
  const isCheck =
    /^(?:test|bench|lib|profile|patch|replace|lints|workspace\.lints|(?:target\..*\.)?dev-dependencies)(?:\.|$)/.test(
      name,
    )
  const isSetting =
    /(?:^|\.)(?:build|autotests|autobins|autobenches|default-members|exclude|members|default-run|links)$/.test(name)
  return isCheck || isSetting ? 'checks' : 'product'
}

function mergeToml(texts: Readonly<Record<Kind, string>>, findKind: (entry: Entry) => Kind): string {
  const sections = new Map<string, string[]>([['', []]])
  for (const kind of ['product', 'dependencies', 'checks'] as const) {
    for (const entry of readEntries(texts[kind]).filter((one) => findKind(one) === kind)) {
      const lines = sections.get(entry.header) ?? [entry.header.replace(/ #\d+$/, '')]
      for (const line of entry.lines) lines.push(line)
      sections.set(entry.header, lines)
    }
  }
  return `${[...sections.values()].flat().join('\n')}\n`
}

/** The header of a section that comes again, as those in double brackets do, ends in its number. */
function readEntries(text: string): Entry[] {
  const entries: (Entry & { readonly lines: string[] })[] = []
  const headers = new Map<string, number>()
  let [section, header, depth, isQuoted] = ['', '', 0, false]
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue
    const start = depth > 0 || isQuoted ? '' : line.replace(/\s+/g, ' ').trim().slice(0, maxStart)
    const [, name] = /^\[+ ?([^\]]+?) ?\]+/.exec(start) ?? []
    const [, key] = /^([\w."' -]+?) ?=/.exec(start) ?? []
    const unquote = (text: string): string => text.replace(/["'\s]/g, '')
    if (name !== undefined) {
      const again = headers.get(line) ?? 0
      headers.set(line, again + 1)
      section = unquote(name)
      header = again === 0 ? line : `${line} #${again}`
      entries.push({ name: section, header, lines: [] })
      continue
    }
    const full = [section, unquote(key ?? '')].filter(Boolean).join('.')
    if (key !== undefined || entries.length === 0) entries.push({ name: full, header, lines: [line] })
    else entries.at(-1)!.lines.push(line)
    for (const _ of line.match(/"""|'''/g) ?? []) isQuoted = !isQuoted
    if (!isQuoted) depth += countOpened(line)
  }
  return entries
}

/** The name of a section or a key ends before. */
const maxStart = 2000

/** How many brackets a line opens, less those that it closes. */
function countOpened(line: string): number {
  const bare = line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*$/g, '')
  return (bare.match(/[[{]/g)?.length ?? 0) - (bare.match(/[\]}]/g)?.length ?? 0)
}

/** A replaced module counts as a check if the other version required it already. */
function mergeReplaced(product: string, checks: string): string {
  const isReplace = (line: string): boolean => /^\s*(?:replace\s+\S.*|\S+(?:\s+v\S+)?\s+)=>/.test(line)
  const known = (line: string): boolean =>
    checks.includes(
      line
        .trim()
        .replace(/^replace\s+/, '')
        .split(/\s/)[0]!,
    )
  const own = product.split(/\r?\n/).filter((line) => !(isReplace(line) && known(line)))
  const kept = checks.split(/\r?\n/).filter(isReplace)
  const singles = kept.map((line) => `replace ${line.trim().replace(/^replace\s+/, '')}`)
  return `${[...own, ...singles].join('\n').trimEnd()}\n`
}

type Inline = { readonly opener: RegExp }

const inlines: readonly (readonly [RegExp, Inline])[] = [
  [/\.rs$/, { opener: /^[ \t]*#\[cfg\((?:test|all\(test\b[^\n]*)\)\]|^[ \t]*#\[(?:\w+::)?test\b[^\n]*\]/m }],
  [/\.[cm]?[jt]sx?$/, { opener: /^[ \t]*if \(import\.meta\.vitest\)/m }],
]

function findInline(path: string, ...texts: readonly (string | undefined)[]): Inline | undefined {
  const found = inlines.find(([files]) => files.test(path))?.[1]
  return found && texts.some((text) => text !== undefined && found.opener.test(text)) ? found : undefined
}

export const hasInlineTests = (path: string, text: string): boolean => findInline(path, text) !== undefined

function mergeInline(product: string, checks: string, inline: Inline): string {
  const without = replaceRanges(product, findTests(product, inline), () => '')
  const taken = findTests(checks, inline).map(([from, to]) => checks.slice(from, to).trim())
  return [without.trimEnd(), ...taken, ''].join('\n\n')
}

/** Changes the tests inside of a source, where they are. Undefined if there are none, or none changes. */
export function alterInline(
  path: string,
  text: string,
  change: (part: string) => string | undefined,
): string | undefined {
  const inline = findInline(path, text)
  if (!inline) return undefined
  const altered = replaceRanges(text, findTests(text, inline), (part) => change(part) ?? part)
  return altered === text ? undefined : altered
}

type Range = readonly [from: number, to: number]

const replaceRanges = (text: string, ranges: readonly Range[], change: (part: string) => string): string =>
  ranges.reduceRight((now, [from, to]) => now.slice(0, from) + change(now.slice(from, to)) + now.slice(to), text)

/** Finds the tests inside of a source. Code in a comment or in a macro is not a test. */
function findTests(text: string, { opener }: Inline): Range[] {
  const hidden = findHidden(text)
  const ranges: Range[] = []
  for (const found of text.matchAll(new RegExp(opener, 'gm'))) {
    const from = found.index
    if (from < (ranges.at(-1)?.[1] ?? 0) || hidden.some(([start, end]) => start < from && from < end)) continue
    ranges.push([from, findItemEnd(text, from + found[0].length)])
  }
  return ranges
}

const item = /"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)'|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\w+!\s*(?:\w+\s*)?\{|[{};]/g

function findHidden(text: string): Range[] {
  return [...text.matchAll(item)].flatMap(({ 0: found, index }): Range[] => {
    if (found.startsWith('/*')) return [[index, index + found.length]]
    return /^\w+!/.test(found) ? [[index, findItemEnd(text, index)]] : []
  })
}

/** The end of the item that begins here: after its closing brace, or after a semicolon that comes before any brace. */
function findItemEnd(text: string, from: number): number {
  let depth = 0
  const pattern = new RegExp(item)
  pattern.lastIndex = from
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    if (found[0].endsWith('{')) depth++
    else if (found[0] === '}' && --depth === 0) return pattern.lastIndex
    else if (found[0] === ';' && depth === 0) return pattern.lastIndex
  }
  return text.length
}

/** Whether tests inside of a source differ, not only comments that switch a checker off. */
export function areTestsTouched(path: string, before = '', after = ''): boolean {
  const inline = findInline(path, before, after)
  const pick = (text: string): string =>
    (inline ? findTests(text, inline).map(([from, to]) => text.slice(from, to)) : []).join('\n')
  return pick(before) !== pick(after)
}

/** Examples in documents and comments that runners check: sessions of Python, and code in comments of Rust. */
export function findExamples(path: string, text: string): readonly string[] {
  if (/\.(?:py|md|rst|txt)$/.test(path)) {
    const blocks = text.match(/^[ \t]*>>> [^\n]*(?:\n(?![ \t]*$)[^\n]*)*/gm) ?? []
    return blocks
      .flatMap((block) => block.split(/\n(?=\s*>>> )/))
      .map((one) =>
        one
          .replace(/^[ \t]+/gm, '')
          .replace(/"""[\s\S]*$/, '')
          .trim(),
      )
  }
  if (!path.endsWith('.rs')) return []
  const blocks = text.match(/^[ \t]*\/\/[/!] ?(?:```|~~~)[\s\S]*?\/\/[/!] ?(?:```|~~~)/gm) ?? []
  return blocks.map((block) => block.replace(/^[ \t]*\/\/[/!] ?/gm, '').trim())
}
