/** Names, subjects and commands may hold line breaks: shown as such, so that no text can pose as a line of ours. */
export function oneLine(text: string, longest: number): string {
  const line = text.trimEnd().replace(/\r?\n/g, '\\n').replace(/\t/g, ' ')
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
