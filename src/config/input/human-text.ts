import { PawlError } from '../../contract/exit.ts'
import { cleanHumanText } from '../../contract/human-text.ts'

/** What a person typed, as it goes into prompts: cleaned, and refused rather than cut where it is too long. */
export function humanText(written: string, what: string): string {
  const { text, cut } = cleanHumanText(written)
  if (text.trim() === '') throw new PawlError(2, `${what} is empty`)
  if (cut) throw new PawlError(2, `${what} has ${Buffer.byteLength(written)} bytes; at most 64 KiB are taken`)
  return text
}
