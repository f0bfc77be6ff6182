/** How single tests ended, by a name that stays the same from run to run. A test that was skipped is in neither. */
export type TestIds = { readonly passed: ReadonlySet<string>; readonly failed: ReadonlySet<string> }

export const resultFormats = ['tap', 'go-json', 'pytest', 'cargo', 'spec', 'junit', 'json'] as const
export type ResultFormat = (typeof resultFormats)[number]

/** Outputs that name only the tests that failed. They do for a comparison of failures, not as `verification.results`. */
const failuresOnly =
  /^\s*(?:--- FAIL: (\S+)|(?:FAIL|ERROR): (\w+ \(\S+\))|---- (\S+) stdout ----| ?FAIL {1,2}(\S+ > .+))/gm

type Row = readonly [id: string, ended: 'passed' | 'failed']

/** Reads the results from the output of a runner or from a file that it wrote. Undefined if none are found. */
export function readTestIds(text: string, format?: ResultFormat): TestIds | undefined {
  const plain = text.slice(0, maxLength).replace(colorCodes, '')
  for (const one of format ? [format] : resultFormats) {
    const rows = readers[one](plain)
    if (rows.length > 0) return gather(rows)
  }
  if (format) return undefined
  const failed = [...plain.matchAll(failuresOnly)].map((match) => match.slice(1).find(Boolean)!)
  return failed.length > 0 ? { failed: new Set(failed), passed: new Set() } : undefined
}

const maxLength = 16 << 20
const colorCodes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g')

/** A test that is listed twice, once as failed, failed. */
function gather(rows: readonly Row[]): TestIds {
  const failed = new Set(rows.flatMap(([id, ended]) => (ended === 'failed' ? [id] : [])))
  return { failed, passed: new Set(rows.flatMap(([id]) => (failed.has(id) ? [] : [id]))) }
}

const isFormat = (text: string): text is ResultFormat => (resultFormats as readonly string[]).includes(text)

/** `verification.results` is a format, which is read from the output, or a file whose format its content shows. */
export const splitResults = (results: string): { readonly format?: ResultFormat; readonly file?: string } =>
  isFormat(results) ? { format: results } : { file: results }

const readers: Readonly<Record<ResultFormat, (text: string) => readonly Row[]>> = {
  tap: (text) => {
    if (!/^TAP version \d+/m.test(text)) return []
    const above: string[] = []
    return text.split('\n').flatMap((line): Row[] => {
      const [, blanks = '', subtest] = /^( *)# Subtest: (.*)$/.exec(line) ?? []
      if (subtest !== undefined) above.splice(blanks.length / 4, Infinity, subtest)
      const [, indent = '', not, name = '', mark] =
        /^( *)(not )?ok \d+(?: -)? ?(.*?)(?: # (SKIP|TODO|time).*)?$/i.exec(line) ?? []
      if (name === '' || /^(?:skip|todo)$/i.test(mark ?? '')) return []
      return [[[...above.slice(0, indent.length / 4), name].join(' > '), not ? 'failed' : 'passed']]
    })
  },
  'go-json': (text) =>
    text.split('\n').flatMap((line): Row[] => {
      if (!line.startsWith('{"Time"') && !line.startsWith('{"Action"')) return []
      const { Action: ended, Package: of, Test: test } = parse(line) as Partial<Record<string, string>>
      return test && (ended === 'pass' || ended === 'fail')
        ? [[`${of}.${test}`, ended === 'pass' ? 'passed' : 'failed']]
        : []
    }),
  pytest: (text) =>
    [
      ...text.matchAll(/^(\S+::\S.*?) (PASSED|FAILED|ERROR|XPASS)\b/gm),
      ...[...text.matchAll(/^(PASSED|FAILED|ERROR) (\S+::.*?)(?: - .*)?$/gm)].map(([all, ended, id]) => [
        all,
        id,
        ended,
      ]),
    ].map(([, id = '', ended]): Row => [id, ended === 'PASSED' ? 'passed' : 'failed']),
  cargo: (text) =>
    [...text.matchAll(/^test (\S.*?) \.\.\. (ok|FAILED)$/gm)].map(
      ([, id = '', ended]): Row => [id, ended === 'ok' ? 'passed' : 'failed'],
    ),
  /** node:test and mocha. */
  spec: (text) => {
    if (!/^ℹ pass \d+$/m.test(text) && !/^ {2}\d+ passing\b/m.test(text)) return []
    const [listed = ''] = text.split(/^✖ failing tests:$/m)
    return [...listed.matchAll(/^\s*(✔|✓|✖|\d+\)) (.*?)(?: \([\d.]+ ?ms\))?$/gm)].map(
      ([, mark = '', name = '']): Row => [name, /[✔✓]/.test(mark) ? 'passed' : 'failed'],
    )
  },
  junit: (text) =>
    [...text.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].flatMap(
      ([, head = '', body = '']): Row[] => {
        const attribute = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? ''
        const id = [attribute('file'), attribute('classname'), attribute('name')].filter(Boolean).join(' > ')
        if (/<skipped\b/.test(body)) return []
        return [[id, /<(?:failure|error)\b/.test(body) ? 'failed' : 'passed']]
      },
    ),
  /** The JSON reporters of jest and vitest. */
  json: (text) => {
    const { testResults } = parse(text) as { testResults?: unknown }
    if (!Array.isArray(testResults)) return []
    return testResults.flatMap(({ name, assertionResults }: { name?: string; assertionResults?: unknown }) =>
      Array.isArray(assertionResults)
        ? assertionResults.flatMap(({ fullName, status }: { fullName?: string; status?: string }): Row[] =>
            status === 'passed' || status === 'failed' ? [[`${name} > ${fullName}`, status]] : [],
          )
        : [],
    )
  },
}

function parse(text: string): object {
  try {
    return Object(JSON.parse(text)) as object
  } catch {
    return {}
  }
}

/** Whether all that is red now was red before, and all that was green still is. The tests of other stories may be red. */
export const isNoWorse = (before: TestIds, now: TestIds): boolean =>
  now.failed.size > 0 && now.failed.isSubsetOf(before.failed) && before.passed.isSubsetOf(now.passed)

/** Tests that were red before and are green now. */
export const turnedGreen = (before: TestIds, now: TestIds): ReadonlySet<string> =>
  before.failed.intersection(now.passed)

/** Tests that the story has turned green, as far as the outputs tell. Some name only failures, and a file that cannot be loaded has no tests. */
export function findTurned(before: TestIds | undefined, now: TestIds | undefined): ReadonlySet<string> {
  if (!before) return new Set()
  return now && now.passed.size > 0
    ? now.passed.difference(before.passed)
    : before.failed.difference(now?.failed ?? new Set())
}

/** Whether one of these tests failed, or is no longer there. */
export const hasFailed = (tests: ReadonlySet<string>, { passed, failed }: TestIds): boolean =>
  [...tests].some((id) => failed.has(id) || (passed.size > 0 && !passed.has(id)))

/** As stored beside the journal. */
export const formatTestResults = ({ passed, failed }: TestIds): string =>
  JSON.stringify({ passed: [...passed], failed: [...failed] })

export function readTestResults(text: string): TestIds {
  const { passed = [], failed = [] } = parse(text) as { passed?: string[]; failed?: string[] }
  return { passed: new Set(passed), failed: new Set(failed) }
}
