/** Names need not be text: paths are kept as git gives them, byte for byte, in latin1. */
export const textOf = (path: string): string => Buffer.from(path, 'latin1').toString('utf8')

export const inside = (root: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')])

/** What runs keep beside the work is no work, also where git is not told to ignore it. */
export const isOwn = (path: string): boolean => own.test(path)
const own = /(?:^|\/)\.(?:pawl|rooda|agentic)\/(?:runs|state)\//
