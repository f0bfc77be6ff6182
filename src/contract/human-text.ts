export type HumanText = {
  readonly text: string
  /** The text was longer and has been truncated. */
  readonly cut: boolean
}

export const maxHumanTextBytes = 64 * 1024

/** Cleans text that a person wrote for use in a prompt or on a screen: removes control characters except newline and tab. */
export function cleanHumanText(written: string): HumanText {
  const plain = written.toWellFormed().replaceAll('\r\n', '\n').replace(controls, '')
  // `encodeInto` never splits a character.
  const { read } = new TextEncoder().encodeInto(plain, new Uint8Array(maxHumanTextBytes))
  return { text: plain.slice(0, read), cut: read < plain.length }
}

const controls = /(?![\n\t])\p{Cc}/gu
