const lookedAt = 4000
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g')

/**
 * A short mark of a failure, the same for the same failure: numbers, times, addresses and colours differ between two
 * tries that fail alike, so they are left out.
 */
export function markOf(what: string, output: string): string {
  const same = output
    .slice(-lookedAt)
    .replace(colours, '')
    .replace(/0x[0-9a-f]+|[0-9a-f]{8,}/gi, '#')
    .replace(/[0-9]+/g, '#')
    .replace(/\s+/g, ' ')
  return hash(`${what}\n${same}`)
}

/** FNV-1a: a handful of marks are told apart, nothing rests on it. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}
