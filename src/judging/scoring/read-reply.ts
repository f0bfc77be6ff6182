import type { Rubric } from '../../contract/rubric.ts'
import type { Json } from '../../contract/values.ts'
import { type FoundObject, findJsonObjects } from '../text/find-json.ts'
import type { Issue, Scale } from './score-data.ts'
import { collapseSpaces, isQuotedFrom, shortenText } from './text-similarity.ts'

export type Finding = Pick<Issue, 'quote' | 'problem' | 'severity'>
export type Answer = 'fixed' | 'open' | 'regressed'

/** One parsed judgement. `dimensions` are the judge's scores, out of 100. */
export type Reading = {
  readonly dimensions: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  /** Number of quotes that are not in the text and of malformed findings. */
  readonly unverified: number
  readonly answers: Readonly<Record<string, Answer>>
}

export type ParsedReply = { readonly status: 'read'; readonly reading: Reading } | Unreadable
type Unreadable = { readonly status: 'unreadable'; readonly why: string }

const maxCharacters = 1024 * 1024
/** Per reply, for evidence and findings each; the rest is ignored. */
const maxFindings = 12

/**
 * Parses a judge's reply. If any score is missing or malformed, the reply is unreadable: it counts neither as a pass nor as zero. The judge's own
 * overall score or verdict is ignored. `given` is all untrusted text in the question: a verdict found in there was copied.
 */
export function readReply(
  reply: string,
  { rubric, scale, text, given }: { rubric: Rubric; scale: Scale; text: string; given: readonly string[] },
): ParsedReply {
  if (reply.length > maxCharacters) return unreadable('the reply is longer than 1 MiB')
  const objects = findJsonObjects(reply)
  if (!objects) return unreadable('the JSON is broken, repeats a key or nests too deep')
  const verdicts = objects.filter((object) => Object.hasOwn(object.value, 'scores') && !isCopied(object, given))
  const [verdict] = verdicts
  if (!verdict) return unreadable('there is no JSON object with "scores"')
  if (verdicts.length > 1) return unreadable('there is more than one JSON object with "scores"')
  const dimensions = parseScores(verdict.value.scores, rubric, scale)
  if (typeof dimensions === 'string') return unreadable(dimensions)
  const words = collapseSpaces(text)
  const { findings, dropped } = parseFindings(verdict.value.findings, words)
  const evidence = toList(verdict.value.evidence).slice(0, maxFindings)
  const unverified = dropped + evidence.filter((item) => !isEvidence(item, words)).length
  return { status: 'read', reading: { dimensions, findings, unverified, answers: parseAnswers(verdict.value.issues) } }
}

const unreadable = (why: string): Unreadable => ({ status: 'unreadable', why })

/** This many equal characters, without whitespace, are not a coincidence. */
const comparedCharacters = 500

function isCopied({ source }: FoundObject, given: readonly string[]): boolean {
  const beginning = withoutSpaces(source).slice(0, comparedCharacters)
  return given.some((text) => text.includes('{') && withoutSpaces(text).includes(beginning))
}

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '')

function parseScores(value: Json | undefined, { dimensions }: Rubric, scale: Scale) {
  if (!isObject(value)) return '"scores" is not an object'
  const scores: Record<string, number> = {}
  for (const { id } of dimensions) {
    const score = value[id]
    if (score === undefined) return `"scores" has no "${id}"`
    if (!isScore(score, scale)) {
      return `the score of "${id}" is not a ${scale === 'anchored' ? 'whole or half number from 0 to 5' : 'number from 0 to 100'}`
    }
    scores[id] = scale === 'anchored' ? score * 20 : score
  }
  return scores
}

function isScore(value: Json, scale: Scale): value is number {
  if (typeof value !== 'number' || !(value >= 0)) return false
  return scale === 'anchored' ? Number.isInteger(2 * value) && value <= 5 : value <= 100
}

function parseFindings(value: Json | undefined, words: string): { findings: readonly Finding[]; dropped: number } {
  const items = toList(value).slice(0, maxFindings)
  const findings = items.flatMap((item) => parseFinding(item, words) ?? [])
  return { findings, dropped: items.length - findings.length }
}

/** An empty quote means that something is missing from the text. The severity defaults to major. */
function parseFinding(item: Json, words: string): Finding | undefined {
  if (!isObject(item)) return undefined
  const { quote, problem, severity } = item
  if (typeof quote !== 'string' || typeof problem !== 'string' || problem.trim() === '') return undefined
  if (!isQuotedFrom(quote, words)) return undefined
  return {
    quote: shortenText(quote),
    problem: shortenText(problem),
    severity: severity === 'minor' ? 'minor' : 'major',
  }
}

const isEvidence = (item: Json, words: string): boolean =>
  isObject(item) && typeof item.quote === 'string' && isQuotedFrom(item.quote, words)

function parseAnswers(value: Json | undefined): Readonly<Record<string, Answer>> {
  if (!isObject(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Answer] => isAnswer(entry[1])))
}

const isAnswer = (value: Json): value is Answer => value === 'fixed' || value === 'open' || value === 'regressed'

/** Wraps a value that is not a list, so that it counts as one malformed item. */
const toList = (value: Json | undefined): readonly Json[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
