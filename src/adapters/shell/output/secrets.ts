import { secretName } from '../../../contract/environment.ts'

/** Every spelling under which a known secret is looked for. Values under 8 characters would mask ordinary text. */
export function spellingsOf(secrets: readonly string[]): readonly Buffer[] {
  const spellings = new Set<string>()
  for (const value of secrets.flatMap(partsOf)) {
    if (value.length < shortestSecret) continue
    for (const spelling of spell(value)) spellings.add(spelling)
  }
  return [...spellings].map((spelling) => Buffer.from(spelling, 'latin1'))
}

const shortestSecret = 8
const shortestLine = 16

/** A key over several lines is shown one line at a time, and a JSON credential one field at a time. */
function partsOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.length >= shortestLine && !line.startsWith('-----'))
  return secret.includes('\n') ? [secret, secret.trim(), ...lines] : [secret, ...secretFields(secret)]
}

function secretFields(secret: string): string[] {
  if (!secret.startsWith('{')) return []
  try {
    const fields = Object.entries(JSON.parse(secret) as Record<string, unknown>)
    return fields.flatMap(([name, value]) => (secretName.test(name) && typeof value === 'string' ? [value] : []))
  } catch {
    return []
  }
}

/** Byte strings, one character per byte. */
function spell(value: string): string[] {
  const bytes = Buffer.from(value)
  const json = Buffer.from(JSON.stringify(value).slice(1, -1)).toString('latin1')
  const asciiJson = json.replaceAll('/', '\\/')
  const hex = bytes.toString('hex')
  const alignments = [0, 1, 2].flatMap((offset) => base64At(bytes, offset))
  return [bytes.toString('latin1'), json, asciiJson, uriEncoded(value), hex, hex.toUpperCase(), ...alignments]
}

function uriEncoded(value: string): string {
  return encodeURIComponent(value.toWellFormed())
}

/** The characters that the value alone decides when it stands `offset` bytes after a multiple of three. */
function base64At(bytes: Buffer, offset: number): string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const decided = text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  return [decided, decided.replaceAll('+', '-').replaceAll('/', '_')]
}
