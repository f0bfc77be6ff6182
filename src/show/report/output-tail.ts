const longestLine = 200

/** How many bytes of an output hold its last lines. */
export const tailBytes = 8 * 1024

/** The last lines of the end of an output that are not empty. */
export const lastLines = (end: string, count: number): string[] =>
  end
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .map((line) => cut(line.trimEnd()))

const cut = (line: string): string => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
