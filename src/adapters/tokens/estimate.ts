import { estimateTokenCount } from 'tokenx'

/** Within 15 % of what models count in prose, code and JSON; in a blink even for megabytes. */
export const estimateTokens = (text: string): number => estimateTokenCount(text)
