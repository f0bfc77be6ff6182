import { createHash } from 'node:crypto'

/** In hex. The one thing that pure code takes from node:crypto: it computes and knows neither clock nor chance. */
export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')
