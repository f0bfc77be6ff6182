/** The folder of a run that its content lies in. */
export const contentFolder = 'artifacts'

/** Content is found by its hash; the name behind it is for people. */
export const contentPath = (sha256: string, name: string): string =>
  `${contentFolder}/${sha256.slice(0, 16)}-${contentName(name)}`

/** Names come from people and agents, so they never become paths. */
export const contentName = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 60) || 'content'

/** The name that content was put under, as `contentName` made it. */
export const readContentName = (path: string): string => path.replace(/^.*\//, '').replace(/^[0-9a-f]{16}-/, '')
