import type { z } from 'zod'
import { decodeText, readTextFile } from '../../../config/input/text-input.ts'
import { ConfigError, type ConfigProblem, excerpt } from '../../../config/problem.ts'
import { type Path, parseYaml, type YamlSource } from '../../../config/yaml-source.ts'
import { PawlError } from '../../../contract/exit.ts'
import { nearest } from '../../../contract/nearest.ts'
import { Rubric } from '../../../contract/rubric.ts'

export type Shipped = Readonly<Record<string, Rubric>>

/** A rubric by the name of one that is shipped, or from a file of one's own in JSON or YAML. */
export function readRubric(given: string, folder: string, shipped: Shipped): Rubric {
  const known = Object.hasOwn(shipped, given) ? shipped[given] : undefined
  if (known) return known
  const bytes = readTextFile(given, folder)
  if (bytes) return parseRubric(decodeText(bytes, given), given)
  const names = Object.keys(shipped)
  const close = nearest(given, names)
  const hint = close ? `Did you mean ${close}?` : `Shipped: ${names.join(', ')}. One of your own: a file`
  throw new PawlError(2, `there is no rubric ${given}, neither shipped nor as a file`, hint)
}

export function parseRubric(text: string, file: string): Rubric {
  // JSON is YAML as well, and this way every problem has a line.
  const source = parseYaml(file, text)
  const parsed = source.content && Rubric.safeParse(source.content.value)
  const found = [
    ...source.problems,
    ...(parsed?.error?.issues ?? []).flatMap((issue) => problemsOf(issue, source, file)),
    ...(parsed?.data ? contradictions(parsed.data, source, file) : []),
  ]
  const [first, ...rest] = found
  if (first) throw new ConfigError([first, ...rest])
  return parsed!.data!
}

const next = 'Correct it there and run the command again.'

function problemsOf(issue: z.core.$ZodIssue, source: YamlSource, file: string): ConfigProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => {
      const path = [...issue.path, name]
      const found = {
        what: 'unknown key',
        found: excerpt(name),
        allowed: 'keys of a rubric',
        next: 'Rename or remove it.',
      }
      return { file, ...source.keyAt(path), key: dotted(path), ...found }
    })
  }
  const allowed = issue.message.replace(/^Invalid input: /, '')
  return [{ file, ...source.valueAt(issue.path), key: dotted(issue.path), what: 'wrong value', allowed, next }]
}

/** Each part is fine, and they do not go together. */
function contradictions({ dimensions, checks }: Rubric, source: YamlSource, file: string): ConfigProblem[] {
  const at = (path: Path, allowed: string): ConfigProblem => ({
    file,
    ...source.valueAt(path),
    key: dotted(path),
    what: 'wrong value',
    allowed,
    next,
  })
  const ids = dimensions.map(({ id }) => id)
  const { leastWords = 0, mostWords = Infinity } = checks
  return [
    ...ids.flatMap((id, index) =>
      ids.indexOf(id) < index ? [at(['dimensions', index, 'id'], 'an id that no other dimension has')] : [],
    ),
    ...(leastWords > mostWords ? [at(['checks', 'leastWords'], 'at most what mostWords says')] : []),
  ]
}

const dotted = (path: Path): string => path.map((step) => excerpt(String(step))).join('.')
