import { z } from 'zod'

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

export const listOf = <Item extends z.ZodType>(item: Item, allowed: string) => z.array(item, allowed)
