const secretLiteral =
  /\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abprs]-[A-Za-z0-9-]{10,}|xai-[A-Za-z0-9]{20,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,})/g

export const maskSecrets = (text: string): string => text.replace(secretLiteral, '***')

/** Numbers of the lines that hold what looks like a key. */
export function linesWithSecrets(text: string): readonly number[] {
  return text.split('\n').flatMap((line, index) => (maskSecrets(line) === line ? [] : [index + 1]))
}
