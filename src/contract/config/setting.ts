import { z } from 'zod'
import type { ProgramName } from '../programs.ts'

/** One key of the configuration: of every mode, or of one mode alone. */
export type SettingRule<Schema extends z.ZodType = z.ZodType> = SettingOptions & {
  /** How the text of a variable or flag becomes what a file would hold. */
  readonly kind: SettingKind
  /** Its description is for editors. The message of every check stands after "allowed:" when a value is refused. */
  readonly schema: Schema
  /** A key without one may be absent, which means no limit or not chosen. */
  readonly builtIn?: BuiltIn<Schema>
}
export type SettingRules = Readonly<Record<string, SettingRule>>
export type SettingKind = 'text' | 'number' | 'amount' | 'switch' | 'list'

export type SettingOptions = {
  /** `workspace`: outside of procedures. `procedures`: only inside one. Absent: files may have it in both places. */
  readonly only?: 'workspace' | 'procedures'
  /** The value is started or passed on, so a person must have trusted it once where a repository sets it. */
  readonly needsTrust?: boolean
  /** Why a repository may not set it at all, as it is told. */
  readonly userOnly?: { readonly what: string; readonly found: string; readonly next: string }
}

/** Who asks for a built-in value, and for which procedure. */
export type Asker = { readonly program: ProgramName; readonly procedure: string | null }
type BuiltIn<Schema extends z.ZodType> = (asker: Asker) => z.output<Schema>

/** The type of a value in force. */
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

export const wholeNumber = (least: number, allowed: string) => z.int(allowed).min(least, allowed)

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const durationPattern = /^([0-9]{1,12}(?:\.[0-9]{1,6})?)(ms|s|m|h|d)?$/
// Node's timers overflow past this and fire at once.
const longestMs = 2_147_483_647

/** Written as `90s`, `30m`, `3h` or a number of seconds; read as milliseconds. */
export const duration = (leastMs: number, allowed: string) =>
  z
    .union([z.number(allowed).nonnegative(allowed), z.string(allowed).regex(durationPattern, allowed)], allowed)
    .transform((written) => {
      const [, amount, unit] = durationPattern.exec(String(written)) ?? [null, written, 's']
      return Math.round(Number(amount) * unitMs[(unit ?? 's') as keyof typeof unitMs])
    })
    .refine((ms) => ms >= leastMs && ms <= longestMs, allowed)

export const text = (allowed: string) =>
  z
    .string(allowed)
    .min(1, allowed)
    .max(32_768, allowed)
    .refine((value) => value.trim() !== '' && !value.includes('\0'), allowed)

export const prose = text('text or a file name: 1 to 32768 characters, not blank, without NUL')

export const listSetting = <Item extends z.ZodType>(item: Item, allowed: string) => z.array(item, allowed)
