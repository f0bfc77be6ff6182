import type { Gate } from './declared-gates.ts'
import { parseJsonObject, pickStrings, type Repository } from './repository.ts'

const builders = ['generate', 'codegen', 'compile', 'build'] as const
const testFolders = ['test', 'tests', '__tests__', 'spec', 'src', 'src/__tests__']
const maxTests = 200

/**
 * Finds the scripts that make what tests import and git ignores: a clean room does not have it. None that the tests run themselves. A gate that builds
 * does not count: other commands than the gates may verify a delivery.
 */
export function findPrepare(repository: Repository, gates: readonly Gate[]): readonly string[] {
  const { scripts } = parseJsonObject(repository.text('package.json'))
  const known = pickStrings(scripts)
  const called = gates.flatMap(({ command, purpose }) => {
    if (purpose !== 'test') return []
    const [, name = ''] = /\b(?:npm|pnpm|yarn|bun)(?: run)? (\S+)/.exec(command) ?? []
    return [command, known[`pre${name}`] ?? '', known[name] ?? '']
  })
  const isRun = (name: string): boolean => called.some((text) => new RegExp(`\\b${name}(?![\\w./-])`).test(text))
  const open = builders.filter((name) => name in known)
  if (open.length === 0 || open.some(isRun)) return []
  const ignored = new Set(
    repository
      .text('.gitignore')
      .match(/^\/?[\w.-]+(?=\/?$)/gm)
      ?.map((path) => path.replace('/', '')),
  )
  const isImported = listTests(repository).some((text) =>
    [...text.matchAll(/\b(?:from|import|require)\b[\s(]*['"]\.{1,2}\/([^'"]+)['"]/g)].some(([, path = '']) =>
      path.split('/').some((part) => ignored.has(part)),
    ),
  )
  const [, program = 'npm'] =
    /^(npm|pnpm|yarn|bun)\b/.exec(gates.find(({ purpose }) => purpose === 'test')?.command ?? '') ?? []
  return isImported ? open.map((name) => `${program} run ${name}`) : []
}

function listTests({ list, text }: Repository): readonly string[] {
  const paths = testFolders.flatMap((folder) => list(folder).map((name) => `${folder}/${name}`))
  const tests = paths.filter(
    (path) => /\.[cm]?[jt]sx?$/.test(path) && (!path.startsWith('src/') || /[._](?:test|spec)\./.test(path)),
  )
  return tests.slice(0, maxTests).map(text)
}
