import { askProgram } from '../../machine/ask-program.ts'
import type { Environment, ProgramAnswer } from '../../run/machine.ts'
import type { Finding } from './finding.ts'

/** Whether commits can be made here, and whether an agent's changes could be told from a person's. */
export async function gitFindings(environment: Environment): Promise<readonly Finding[]> {
  const git = (...words: string[]): Promise<ProgramAnswer> =>
    askProgram(environment, ['git', '-c', 'core.fsmonitor=false', ...words], { cwd: environment.cwd, add: plain })
  const [identity, head, status] = await Promise.all([
    git('config', '--get-regexp', '^user\\.(name|email)$'),
    git('rev-parse', '--verify', '--quiet', 'HEAD'),
    git('status', '--porcelain'),
  ])
  // That git is missing is told by a check of its own.
  return status.status === 'missing' ? [] : [identityFinding(identity), repositoryFinding(head, status)]
}

// In words that can be compared, and without taking a lock that somebody else may want.
const plain = { LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' }

function identityFinding({ text }: ProgramAnswer): Finding {
  const check = 'git identity'
  const values = new Map(text.split('\n').map((line) => [line.split(' ', 1)[0], line.replace(/^\S+ ?/, '')]))
  const [name, email] = [values.get('user.name'), values.get('user.email')]
  if (name && email) return { check, status: 'ok', says: `${name} <${email}>` }
  const fix = 'git config --global user.name "Your Name" && git config --global user.email you@example.org'
  return { check, status: 'weak', says: 'not set: agents cannot commit', fix }
}

function repositoryFinding(head: ProgramAnswer, status: ProgramAnswer): Finding {
  const check = 'repository'
  const weak = (says: string, fix: string): Finding => ({ check, status: 'weak', says, fix })
  if (status.problem.includes('not a git repository')) {
    return weak('not a git repository: what an agent changes cannot be told or taken back', 'git init')
  }
  if (status.status !== 'answered') return weak(`git status: ${status.problem}`, 'see what git status says')
  if (head.status === 'refused') {
    return weak('no commit yet: there is nothing to go back to', 'git add -A && git commit -m "first"')
  }
  const changed = status.text === '' ? 0 : status.text.split('\n').length
  if (changed === 0) return { check, status: 'ok', says: 'everything is committed' }
  const what = changed === 1 ? '1 path is' : `${changed} paths are`
  return weak(`${what} changed and not committed`, 'commit or stash, so that the work of a run can be told from yours')
}
