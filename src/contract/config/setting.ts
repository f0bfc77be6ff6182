import type { z } from 'zod'
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
