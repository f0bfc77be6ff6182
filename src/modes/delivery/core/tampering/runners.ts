import { differing } from './differing.ts'
import { says } from './scripts.ts'
import type { Finding, Touched } from './text/finding.ts'

/** What stands where a runner would be looked for, or says where it is looked for. */
export function changedRunner(touched: Touched): Finding[] {
  const { path, status } = touched
  if (status === 'deleted') return []
  if (settings.test(path)) {
    const found = differing(touched).find(({ now = '' }) => programs.test(now))
    return found ? [{ kind: 'runner-replaced', says: says(found) }] : []
  }
  // What is installed or brought along may come; what was there stays what it was.
  if (installed.test(path) && status === 'added') return []
  const what = status === 'added' ? 'a file that stands in for a runner is new' : 'what verification starts was changed'
  return [{ kind: 'runner-replaced', says: what }]
}

const settings = /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml|\.cargo\/config(?:\.toml)?)$/
const programs =
  /^(?:script-shell|shell|node-options|node_options|prefix|globalconfig|ignore-scripts|if-present|yarnPath|yarn-path|plugins|preload|runner|rustc|rustc-wrapper|linker|test|t|\[alias)\b/i
const installed = /(?:^|\/)(?:node_modules|\.venv)\/|^(?:gradlew|mvnw|sbtw?)|^gradle\//

export function changedHook(touched: Touched): Finding[] {
  if (touched.status === 'deleted') return []
  const isAttributes = touched.path.endsWith('.gitattributes')
  const found = differing(touched).find(
    ({ now = '' }) => now !== '' && (!isAttributes || /\b(?:filter|diff|merge)=/.test(now)),
  )
  return found ? [{ kind: 'hook-planted', says: says(found) }] : []
}
