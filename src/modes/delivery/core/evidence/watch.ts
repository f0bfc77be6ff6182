import type { Found } from './findings.ts'

type Finding = Pick<Found, 'kind' | 'says'>

export type Watching = {
  readonly commands: readonly string[]
  readonly packageScripts: Readonly<Record<string, string>>
  /** Files below `.git/hooks`, `node_modules` and virtual environments, as deep as the caller searches. */
  readonly listing: readonly string[]
}

/**
 * Returns the files to fingerprint before an attempt and, with a new listing, after it. The caller follows symlinks, and
 * fingerprints a git config with `findPrograms`, so that harmless settings such as a tracked branch do not count.
 */
export function listWatchedPaths({ commands, packageScripts, listing }: Watching): readonly string[] {
  const words = new Set(
    [...commands, ...Object.values(packageScripts)].flatMap((text) => text.match(/[\w@./+-]+/g) ?? []),
  )
  const names = new Set([...words, ...[...words].map((word) => word.slice(word.lastIndexOf('/') + 1))])
  const isRunner = (name: string): boolean => names.has(name) || names.has(name.replace(extension, ''))
  const watched = listing.filter((path) => {
    if (path.startsWith('.git/hooks/')) return !path.endsWith('.sample')
    const name = binary.exec(path)?.[1] ?? inPackage.exec(path)?.[1]
    return name !== undefined && (isRunner(name) || interpreters.test(name))
  })
  return [...new Set([...always, ...watched])]
}

const always = ['.git/config', '.git/config.worktree', '.git/info/attributes']
const binary = /^(?:.*\/)?(?:node_modules\/\.bin|\.?v?env\/(?:bin|Scripts)|vendor\/bin)\/([^/]+)$/
const inPackage = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/(?:package\.json|(?:[^/]+\/)?[^/]+\.[cm]?js)$/
const extension = /\.(?:cmd|exe|ps1|[cm]?js)$/
const interpreters = /^(?:python[\d.]*|node)$/

export function findReplaced(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly Found[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .flatMap((path) => {
      const finding = findDifference(path, before[path], after[path])
      return finding ? [{ ...finding, path, expected: false as const }] : []
    })
    .slice(0, maxFindings)
}
const maxFindings = 50

function findDifference(path: string, was: string | undefined, now: string | undefined): Finding | undefined {
  if (was === now) return undefined
  if (/(?:^|\/)\.git\/hooks\//.test(path))
    return now === undefined
      ? undefined
      : { kind: 'hook-planted', says: was ? 'a git hook was changed' : 'a git hook was added' }
  if (/(?:^|\/)\.git\//.test(path)) return findPlanted(was ?? '', now ?? '')
  if (/(?:^|\/)result\.json$/.test(path) && !/(?:^|\/)node_modules\//.test(path))
    return {
      kind: 'result-faked',
      says: `the run result was ${was === undefined ? 'written' : now === undefined ? 'deleted' : 'changed'} by the agent`,
    }
  // Installing and uninstalling is normal; replacing a program that verification starts is not.
  if (was === undefined || now === undefined) return undefined
  return { kind: 'runner-replaced', says: 'a program that verification starts was replaced' }
}

function findPlanted(was: string, now: string): Finding | undefined {
  const known = new Set(was.split('\n'))
  const added = now.split('\n').filter((line) => line !== '' && !known.has(line))
  if (added.length === 0) return undefined
  return {
    kind: 'hook-planted',
    says: `git would run a new program: \`${added[0]!.replace(/\p{C}+/gu, ' ').slice(0, 120)}\``,
  }
}

/** Returns the git settings or attributes that make git start programs or include more settings. */
export function findPrograms(text: string): string {
  let section = ''
  const found: string[] = []
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const header = /^\[([^\]]*)\]\s?(.*)$/.exec(line)
    if (header) section = header[1]!.replace(/["\s]+/g, '.').replace(/\.$/, '')
    const setting = header ? header[2]! : line
    if (setting === '' || /^[#;]/.test(setting)) continue
    const key = `${section}.${setting}`
    if (programs.test(key) || /\b(?:filter|diff|merge)=/.test(line)) found.push(key)
  }
  return found.join('\n')
}
const programs =
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|pager|editor|askpass|attributesfile|worktree|gitproxy|alternaterefscommand)|filter\.|include|diff\..*(?:textconv|command|external)|diff\.external|merge\..*driver|alias\.|pager\.|gpg\..*program|gpg\.program|credential\.|sequence\.|interactive\.difffilter|uploadpack|hook\.|trailer\.)/i
