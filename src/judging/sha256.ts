import { createHash } from 'node:crypto'

/** Hex digest. The only use of node:crypto in pure code: it needs neither clock nor randomness. */
export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
