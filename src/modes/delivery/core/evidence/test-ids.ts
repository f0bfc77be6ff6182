/** How single tests ended, by a name that stays the same from run to run. A test that was skipped is in neither. */
export type TestIds = {
  readonly passed: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
  /** How the output names them. */
  readonly format?: Format | undefined
}

export const resultFormats = ['tap', 'go-json', 'pytest', 'cargo', 'spec', 'junit', 'json'] as const
export type ResultFormat = (typeof resultFormats)[number]
/** `failures`: outputs that name only the tests that failed. They do for a comparison, not as `verification.results`. */
export type Format = ResultFormat | 'go' | 'failures'
const formats: readonly Format[] = [...resultFormats, 'go', 'failures']

type Row = readonly [id: string, ended: 'passed' | 'failed']

/**
 * Reads the results from the output of a runner or from a file that it wrote. Undefined if none are found. A product can print anything: give the
 * format of the run before the story, if that is known.
 */
export function readTestIds(text: string, format?: Format): TestIds | undefined {
  const plain = text.slice(0, maxLength).replace(colorCodes, '')
  const lines = plain.replace(longLine, '')
  for (const one of format ? (alike[format] ?? [format]) : formats) {
    const rows = readers[one](one === 'junit' || one === 'json' ? plain : lines)
    if (rows.length > 0) return gather(rows, one)
  }
  return undefined
}

/** node:test prints one or the other, depending on its version and on where its output goes. */
const alike: Partial<Record<Format, readonly Format[]>> = { spec: ['spec', 'tap'], tap: ['tap', 'spec'] }

const maxLength = 16 << 20
/** Names no test, and would take long to read. */
const longLine = /^.{4097,}$/gm
const colorCodes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g')

/** A test that is listed twice, once as failed, failed. */
function gather(rows: readonly Row[], format: Format): TestIds {
  const failed = new Set(rows.flatMap(([id, ended]) => (ended === 'failed' ? [id] : [])))
  return { failed, passed: new Set(rows.flatMap(([id]) => (failed.has(id) ? [] : [id]))), format }
}

/** Tests of one name are numbered, where the output does not say what they belong to. */
function numberRows(rows: readonly Row[]): readonly Row[] {
  const seen = new Map<string, number>()
  return rows.map(([id, ended]) => {
    const count = (seen.get(id) ?? 0) + 1
    seen.set(id, count)
    return [count === 1 ? id : `${id}[${count}]`, ended]
  })
}

const isFormat = (text: string): text is ResultFormat => (resultFormats as readonly string[]).includes(text)

/** `verification.results` is a format, which is read from the output, or a file whose format its content shows. */
export const splitResults = (results: string): { readonly format?: ResultFormat; readonly file?: string } =>
  isFormat(results) ? { format: results } : { file: results }

const readers: Readonly<Record<Format, (text: string) => readonly Row[]>> = {
  tap: (text) => {
    if (!/^TAP version \d+|^1\.\.\d+$/m.test(text)) return []
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
      ...[...text.matchAll(/^(PASSED|FAILED|ERROR) (\S+(?:::.*?|\.py))(?: - .*)?$/gm)].map(([all, ended, id]) => [
        all,
        id,
        ended,
      ]),
    ].map(([, id = '', ended]): Row => [id, ended === 'PASSED' ? 'passed' : 'failed']),
  cargo: (text) =>
    numberRows(
      [...text.matchAll(/^test (\S.*?) \.\.\. (ok|FAILED)$/gm)].map(
        ([, id = '', ended]): Row => [id, ended === 'ok' ? 'passed' : 'failed'],
      ),
    ),
  /** With -v. */
  go: (text) =>
    /^(?:=== RUN |[ \t]*--- PASS: )/m.test(text)
      ? numberRows(
          [...text.matchAll(/^[ \t]*--- (PASS|FAIL): (\S+)/gm)].map(
            ([, ended, id = '']): Row => [id, ended === 'PASS' ? 'passed' : 'failed'],
          ),
        )
      : [],
  failures: (text) => [...text.matchAll(failures)].map((match): Row => [match.slice(1).find(Boolean)!, 'failed']),
  /** node:test and mocha. */
  spec: (text) => {
    if (!/^ℹ pass \d+$/m.test(text) && !/^ {2}\d+ passing\b/m.test(text)) return []
    // What follows says more about the same tests.
    const [listed = ''] = text.split(/^✖ failing tests:$|^ {2}\d+ passing\b/m)
    return numberRows(
      [...listed.matchAll(/^[ \t]*(✔|✓|✖|\d+\)) (.*?)(?: \([\d.]+ ?ms\))?$/gm)].map(
        ([, mark = '', name = '']): Row => [name, /[✔✓]/.test(mark) ? 'passed' : 'failed'],
      ),
    )
  },
  junit: (text) =>
    text
      .split(/<testcase\b/)
      .slice(1)
      .flatMap((part): Row[] => {
        const [head = ''] = part.split('>', 1)
        const isEmpty = head.endsWith('/')
        const end = isEmpty ? head.length : part.indexOf('</testcase>')
        if (end < 0) return []
        const body = isEmpty ? '' : part.slice(head.length, end)
        const attribute = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(head)?.[1] ?? ''
        const id = [attribute('file'), attribute('classname'), attribute('name')].filter(Boolean).join(' > ')
        if (/<skipped\b/.test(body)) return []
        return [[id, /<(?:failure|error)\b/.test(body) ? 'failed' : 'passed']]
      }),
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

const failures =
  /^[ \t]*(?:--- FAIL: (\S+)|(?:FAIL|ERROR): (\w+ \(\S+\))|---- (\S+) stdout ----| ?FAIL {1,2}(\S+ > .+))/gm

function parse(text: string): object {
  try {
    return Object(JSON.parse(text)) as object
  } catch {
    return {}
  }
}

/** As stored beside the journal. */
export const formatTestResults = ({ passed, failed, format }: TestIds): string =>
  JSON.stringify({ passed: [...passed], failed: [...failed], format })

export function readTestResults(text: string): TestIds {
  const { passed = [], failed = [], format } = parse(text) as { passed?: string[]; failed?: string[]; format?: Format }
  return { passed: new Set(passed), failed: new Set(failed), format }
}
