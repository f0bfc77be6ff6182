import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Tool } from './tool.ts'

export type Person = { readonly name: string; readonly email: string }

/** Variables that make a commit the given author's. Throws if git has no name and email to use. */
export function requireIdentity(tool: Tool, env: NodeJS.ProcessEnv, given: Person | undefined): Record<string, string> {
  const author = given ?? findPerson(tool, 'author', env)
  if (!author) throw new RepositoryBlockedError(unknownAuthor)
  return identityVariables(author, findPerson(tool, 'committer', env) ?? author)
}

/** For a commit on no branch, which needs no name: Pawl's own if git knows none. */
export function chooseIdentity(tool: Tool, env: NodeJS.ProcessEnv): Record<string, string> {
  const author = findPerson(tool, 'author', env) ?? own
  return identityVariables(author, findPerson(tool, 'committer', env) ?? author)
}

/** Follows git: its variables come first, then `author.name`, then `user.name`. */
function findPerson({ config: { people } }: Tool, role: 'author' | 'committer', env: NodeJS.ProcessEnv) {
  const find = (part: 'name' | 'email'): string =>
    cleanIdentity(env[`GIT_${role}_${part}`.toUpperCase()] || people[`${role}.${part}`] || people[`user.${part}`] || '')
  const person: Person = { name: find('name'), email: find('email') }
  return person.name && person.email ? person : undefined
}

/** git drops these characters too; a name that consists of them only is none. */
const cleanIdentity = (text: string): string =>
  text.replace(/[<>\n]/g, '').replace(/^[\p{Cc}\s.,:;"'\\]+|[\p{Cc}\s.,:;"'\\]+$/gu, '')

const identityVariables = (author: Person, committer: Person): Record<string, string> => ({
  GIT_AUTHOR_NAME: author.name,
  GIT_AUTHOR_EMAIL: author.email,
  GIT_COMMITTER_NAME: committer.name,
  GIT_COMMITTER_EMAIL: committer.email,
})

const own: Person = { name: 'Pawl', email: 'pawl@localhost' }

const unknownAuthor =
  'git does not know who you are, so nothing can be committed in your name: ' +
  'git config --global user.name "Your Name" and git config --global user.email you@example.com'
