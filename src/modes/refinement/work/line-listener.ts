/** More of a line than anybody is shown. */
const longestOpen = 4096

/** The lines that a piece makes whole, each once. Looks at each piece once: a model may send megabytes letter by letter, and never end a line. */
export function lineListener(): (more: string) => readonly string[] {
  let open = ''
  return (more) => {
    const [first = '', ...others] = more.split('\n')
    if (open.length < longestOpen) open += first
    if (others.length === 0) return []
    const whole = [open, ...others.slice(0, -1)]
    open = others.at(-1)!
    return whole
  }
}
