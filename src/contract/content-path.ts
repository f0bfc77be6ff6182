/** The subfolder of a run that holds its content. */
export const contentFolder = 'artifacts'

/** Returns the path of content. The hash identifies it; the name is only for people. */
export const contentPath = (sha256: string, name: string): string =>
  `${contentFolder}/${sha256.slice(0, 16)}-${contentName(name)}`

/** Makes a safe file name: names come from people and agents and must never act as paths. */
export const contentName = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 60) || 'content'

/** Returns the name in a content path, as `contentName` made it. */
export const readContentName = (path: string): string => path.replace(/^.*\//, '').replace(/^[0-9a-f]{16}-/, '')
