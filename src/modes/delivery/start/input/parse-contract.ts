import { isUtf8 } from 'node:buffer'
import { getLocation } from 'jsonc-parser'
import type { z } from 'zod'
import { findInvalidUtf8Line, readNamedFile } from '../../../../config/input/named-file.ts'
import type { OwnText } from '../../../../contract/programs.ts'
import { visitJson } from '../../core/json-syntax.ts'
import { ContractError, type ContractProblem, formatPointer, formatValue } from './contract-error.ts'
import { findFirstProblem, findValueProblem } from './first-problem.ts'

/** A file that programs exchange. */
export type ContractFile<Schema extends z.ZodObject | z.ZodReadonly<z.ZodObject>> = {
  readonly schema: Schema
  readonly maxMebibytes: number
  /** The command to run if the file is bad. */
  readonly hint: OwnText
}
type AnyContract = z.ZodObject | z.ZodReadonly<z.ZodObject>

/** Returns the text including a byte order mark. */
export function readContractText(path: string, { maxMebibytes, hint }: ContractFile<AnyContract>): string {
  const maxBytes = maxMebibytes * 1024 * 1024
  const refuse = (found: string, place?: string): ContractError => {
    const allowed = `a text file in UTF-8 of at most ${maxMebibytes} MiB`
    return new ContractError(path, { what: 'cannot be read', found, allowed, ...(place && { place }) }, hint)
  }
  const bytes = path.includes('\0') ? 'a path with NUL in it' : readNamedFile(path, maxBytes)
  if (bytes === 'missing') throw refuse('no such file')
  if (typeof bytes === 'string') throw refuse(bytes)
  if (bytes.length > maxBytes) throw refuse(`more than ${maxMebibytes} MiB`)
  if (!isUtf8(bytes)) throw refuse('bytes that are not UTF-8', `${findInvalidUtf8Line(bytes)}:1`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

export function parseContract<Schema extends AnyContract>(
  text: string,
  file: string,
  contract: ContractFile<Schema>,
): z.output<Schema> {
  const refuse = (problem: ContractProblem): ContractError => new ContractError(file, problem, contract.hint)
  // Columns start after the byte order mark.
  const content = text.replace(/^\ufeff/, '')
  if (content.trim() === '') throw refuse({ pointer: '', what: 'empty', found: 'nothing', allowed: 'a JSON object' })
  const broken = findJsonProblem(content)
  if (broken) throw refuse(broken)
  const value: unknown = JSON.parse(content)
  const problem =
    findVersionProblem(value) ??
    findFirstProblem(contract.schema, value) ??
    findValueProblem(contract.schema, value, [])
  if (problem) throw refuse(problem)
  return contract.schema.parse(value) as z.output<Schema>
}

/** Checked first, because fields may mean something else in a later version. */
function findVersionProblem(value: unknown): ContractProblem | undefined {
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, 'contract_version')) return undefined
  const { contract_version: version } = value as { readonly contract_version: unknown }
  if (typeof version !== 'number' || !(version > 1)) return undefined
  return {
    pointer: '/contract_version',
    what: 'unsupported version',
    found: `${version}`,
    allowed: '1',
  }
}

const maxDepth = 64
/** Keys that JavaScript treats specially. */
const trapKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Finds what JSON.parse accepts or explains badly: syntax errors, deep nesting, duplicate keys, text that is not Unicode. */
export function findJsonProblem(text: string): ContractProblem | undefined {
  const keySets: Set<string>[] = []
  let first: ContractProblem | undefined
  const syntax = visitJson(text, maxDepth, {
    onObjectBegin: () => void keySets.push(new Set()),
    onObjectEnd: () => void keySets.pop(),
    onObjectProperty: (key, offset, length, line, character, path) => {
      const keys = keySets.at(-1)!
      const problem = keys.has(key)
        ? { what: 'duplicate key', found: formatValue(key), allowed: 'each key once' }
        : trapKeys.has(key)
          ? { what: 'unknown key', found: key, allowed: 'the keys of the contract' }
          : isText(key)
            ? undefined
            : { what: 'unreadable key', found: readSource(text, offset, length), allowed: textRule }
      keys.add(key)
      if (problem)
        first ??= { ...problem, pointer: formatPointer([...path(), key]), place: formatPlace(line, character) }
    },
    onLiteralValue: (value, offset, length, line, character, path) => {
      if (first || typeof value !== 'string' || isText(value)) return
      const found = readSource(text, offset, length)
      const [pointer, place] = [formatPointer(path()), formatPlace(line, character)]
      first = { what: 'unreadable text', found, allowed: textRule, pointer, place }
    },
  })
  if (!syntax) return first
  const { path, isAtPropertyKey } = getLocation(text, syntax.offset)
  const pointer = formatPointer(isAtPropertyKey ? path.slice(0, -1) : path)
  return { ...syntax, pointer, place: `${syntax.line}:${syntax.column}` }
}

const textRule = 'Unicode text without NUL'
const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')
const readSource = (text: string, offset: number, length: number): string =>
  text.slice(offset, offset + Math.min(length, 100))
const formatPlace = (line: number, character: number): string => `${line + 1}:${character + 1}`
