import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Trailers } from './message.ts'
import { commitAt } from './refs.ts'
import type { Tool } from './tool.ts'

const mostCommits = 5000
const plainly = ['--no-show-signature', '--no-color', '--no-notes', '--no-decorate', '--no-mailmap']

/** The newest commit from HEAD back, and not at `after` or before, that has all of these trailers, word for word. */
export async function findByTrailers(tool: Tool, trailers: Trailers, after?: string): Promise<string | undefined> {
  const names = Object.keys(trailers)
  const format = ['%H', ...names.map((name) => `%(trailers:key=${name},valueonly,separator=%x02)`)].join('%x01')
  const range = after === undefined ? ['HEAD'] : ['HEAD', `^${after}`]
  const args = ['log', '-z', `--max-count=${mostCommits}`, ...plainly, `--format=${format}`, ...range, '--']
  const { code, stdout, says } = await tool.attempt(args)
  // Before the first commit there is none. Whatever else kept git from telling does not mean that there is none.
  if (code !== 0 && (await commitAt(tool, 'HEAD')) === undefined) return undefined
  if (code !== 0) throw new RepositoryBlockedError(`git log: ${says || `it ended with ${code}`}`)
  const wanted = names.map((name) => trailers[name])
  for (const line of stdout.toString('utf8').split('\0')) {
    const [id, ...values] = line.split('\x01')
    if (id && wanted.every((value, at) => values[at]?.trim() === value)) return id
  }
  return undefined
}
