export type HumanText = {
  readonly text: string
  /** There was more. */
  readonly cut: boolean
}

export const mostHumanBytes = 64 * 1024

/** What a person wrote, as it may go into a prompt or onto a screen: no control characters but newline and tab. */
export function cleanHumanText(written: string): HumanText {
  const plain = written.toWellFormed().replaceAll('\r\n', '\n').replace(controls, '')
  // Writes whole characters only.
  const { read } = new TextEncoder().encodeInto(plain, new Uint8Array(mostHumanBytes))
  return { text: plain.slice(0, read), cut: read < plain.length }
}

const controls = /(?![\n\t])\p{Cc}/gu
