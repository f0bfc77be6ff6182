import { z } from 'zod'
import type { ProgramName } from '../programs.ts'

/** One config key, shared by all modes or specific to one. */
export type SettingRule<Schema extends z.ZodType = z.ZodType> = SettingOptions & {
  /** How to parse the text of an environment variable or a flag. */
  readonly kind: SettingKind
  /** Its description is for editors. The message of each check follows "allowed:" when a value is rejected. */
  readonly schema: Schema
  /** Returns the default. A key without one may be absent, which means no limit or not set. */
  readonly builtIn?: BuiltIn<Schema>
}
export type SettingRules = Readonly<Record<string, SettingRule>>
export type SettingKind = 'text' | 'number' | 'amount' | 'switch' | 'list'

export type SettingOptions = {
  /** `workspace`: only at the top level. `procedures`: only inside a procedure. Absent: in both places. */
  readonly only?: 'workspace' | 'procedures'
  /** The value is executed or passed to a process: if a repository sets it, the user must trust it first. */
  readonly needsTrust?: boolean
  /** A repository may not set this key. These texts form the error message. */
  readonly userOnly?: { readonly what: string; readonly found: string; readonly next: string }
}

/** The program and the procedure that a default is for. */
export type Asker = { readonly program: ProgramName; readonly procedure: string | null }
type BuiltIn<Schema extends z.ZodType> = (asker: Asker) => z.output<Schema>

/** The type of a config value after defaults are applied. */
export type SettingValue<Rule extends SettingRule> = Rule extends { readonly builtIn: unknown }
  ? z.output<Rule['schema']>
  : z.output<Rule['schema']> | undefined
export type SettingValues<Rules extends SettingRules> = { readonly [Key in keyof Rules]: SettingValue<Rules[Key]> }

type WithBuiltIn<Schema extends z.ZodType> = { readonly builtIn: BuiltIn<Schema> }

export function setting<Schema extends z.ZodType>(
  kind: SettingKind,
  schema: Schema,
  options: SettingOptions & WithBuiltIn<Schema>,
): SettingRule<Schema> & WithBuiltIn<Schema>
export function setting<Schema extends z.ZodType>(
  kind: SettingKind,
  schema: Schema,
  options?: SettingOptions,
): SettingRule<Schema>
export function setting(kind: SettingKind, schema: z.ZodType, options: SettingOptions = {}): SettingRule {
  return { kind, schema, ...options }
}

export const wholeNumber = (min: number, allowed: string) => z.int(allowed).min(min, allowed)

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const durationPattern = /^([0-9]{1,12}(?:\.[0-9]{1,6})?)(ms|s|m|h|d)?$/
// Node's timers overflow above this value and fire immediately.
const maxMs = 2_147_483_647

/** Accepts `90s`, `30m`, `3h` or a number of seconds; the parsed value is in milliseconds. */
export const duration = (minMs: number, allowed: string) =>
  z
    .union([z.number(allowed).nonnegative(allowed), z.string(allowed).regex(durationPattern, allowed)], allowed)
    .transform((written) => {
      const [, amount, unit] = durationPattern.exec(String(written)) ?? [null, written, 's']
      return Math.round(Number(amount) * unitMs[(unit ?? 's') as keyof typeof unitMs])
    })
    .refine((ms) => ms >= minMs && ms <= maxMs, allowed)

export const text = (allowed: string) =>
  z
    .string(allowed)
    .min(1, allowed)
    .max(32_768, allowed)
    .refine((value) => value.trim() !== '' && !value.includes('\0'), allowed)

export const prose = text('text or a file name: 1 to 32768 characters, not blank, without NUL')

export const listSetting = <Item extends z.ZodType>(item: Item, allowed: string) => z.array(item, allowed)
