const mark = '\ufeff'

/** A text with the byte order mark, the line ends and the end that another one has: what nobody asked to change stays. */
export function matchStyle(text: string, original: string): string {
  const eol = usualLineEnd(original)
  const bare = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n+$/, '')
  const end = /[\r\n]$/.test(original) ? '\n' : ''
  return (original.startsWith(mark) ? mark : '') + `${bare}${end}`.replaceAll('\n', eol)
}

/** As most of its lines end. */
function usualLineEnd(text: string): '\n' | '\r\n' {
  const [windows, all] = [text.split('\r\n').length - 1, text.split('\n').length - 1]
  return windows > all / 2 ? '\r\n' : '\n'
}
