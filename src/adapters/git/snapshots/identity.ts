import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Tool } from './tool.ts'

export type Person = { readonly name: string; readonly email: string }

/** Who git would say has done it, by configuration or by the variables that are meant for this. */
async function configured(
  tool: Tool,
  role: 'AUTHOR' | 'COMMITTER',
  env: NodeJS.ProcessEnv,
): Promise<Person | undefined> {
  const names = [`GIT_${role}_NAME`, `GIT_${role}_EMAIL`]
  const given = Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const { code, stdout } = await tool.attempt(['-c', 'user.useConfigOnly=true', 'var', `GIT_${role}_IDENT`], {
    env: given,
  })
  const [, name, email] = /^(.+) <([^<>]+)> \d+ \S+\n?$/.exec(stdout.toString('utf8')) ?? []
  return code === 0 && name !== undefined && email !== undefined ? { name, email } : undefined
}

/** The environment that makes a commit theirs. */
const identityVariables = (author: Person, committer: Person): Record<string, string> => ({
  GIT_AUTHOR_NAME: author.name,
  GIT_AUTHOR_EMAIL: author.email,
  GIT_COMMITTER_NAME: committer.name,
  GIT_COMMITTER_EMAIL: committer.email,
})

export async function requireIdentity(
  tool: Tool,
  env: NodeJS.ProcessEnv,
  given: Person | undefined,
): Promise<Record<string, string>> {
  const author = given ?? (await configured(tool, 'AUTHOR', env))
  if (!author) throw new RepositoryBlockedError(nobody)
  return identityVariables(author, (await configured(tool, 'COMMITTER', env)) ?? author)
}

/** For what lies on no branch anybody will do. */
export async function chooseIdentity(tool: Tool, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const author = (await configured(tool, 'AUTHOR', env)) ?? own
  return identityVariables(author, (await configured(tool, 'COMMITTER', env)) ?? author)
}

const own: Person = { name: 'Pawl', email: 'pawl@localhost' }

const nobody =
  'git does not know who you are, so nothing can be committed in your name: ' +
  'git config --global user.name "Your Name" and git config --global user.email you@example.com'
