import { statSync } from 'node:fs'
import { sha256 } from '../../../../judging/sha256.ts'
import { RepositoryBlockedError } from '../../../../ports/snapshots.ts'
import type { Machine } from '../../../../run/machine.ts'
import type { RunInput } from '../../contract/input.ts'
import type { Plan } from '../../contract/plan.ts'
import type { DeliveryRequest } from '../../contract/request.ts'
import { commandsFor } from '../../core/planner/story.ts'
import { firstWords, refuseCommand } from '../input/command-policy.ts'
import { DeliveryError } from '../input/contract-error.ts'
import { readPrd } from '../input/read-prd.ts'

/** What is wrong with an input whatever the repository looks like today. Throws. */
export function checkInput({ git }: Pick<Machine, 'git'>, input: RunInput): void {
  const { repo_path: repo } = input
  const root = isFolder(repo) ? git.findWorkTree(repo) : undefined
  if (root === undefined) throw bad(`${repo} is not a git repository`, '/repo_path')
  const { story_commands, run_commands, by_requirement = {}, allow } = input.verification
  for (const command of [...story_commands, ...run_commands, ...Object.values(by_requirement).flat()]) {
    const refused = refuseCommand(command, allow)
    if (refused)
      throw new DeliveryError('story_verification_failed', `a command is refused: ${refused}`, {
        pointer: '/verification',
      })
  }
}

/** A plan goes with the PRD and the commands that it was made from, or it proves something else. */
export function checkPlan(input: RunInput, plan: Plan): void {
  if (plan.prd_sha256 !== sha256(readPrd(input.repo_path, input.prd_path))) {
    throw bad(`the plan was made from another version of ${input.prd_path}`, '/prd_sha256', again)
  }
  const other = plan.stories.find(({ id, source, acceptance_criteria, verification }) => {
    const ids = [source.id, ...acceptance_criteria.map((criterion) => criterion.id)].filter((one) => one !== null)
    return JSON.stringify(commandsFor(id, ids, input.verification)) !== JSON.stringify(verification)
  })
  if (other) throw bad(`the plan proves ${other.id} by other commands than the run input names`, '/stories', again)
}

const again = 'Plan again: pawl plan --input <run-input.json> --out-dir <dir>'
const bad = (message: string, pointer: string, hint?: string): DeliveryError =>
  new DeliveryError('plan_generation_failed', message, { hint, pointer })

/** What somebody must put right before anything can begin. Nothing is spent by finding out. */
export async function checkRepository(machine: Machine, input: RunInput): Promise<void> {
  const { repo_path: repo, working_branch, base_branch, policy, verification } = input
  const look = await machine.git.openRepository(repo).look()
  if (!look) throw blocked(`git does not tell how ${repo} looks`, 'Try git status there.')
  if (look.branch !== working_branch) {
    const now = look.branch === null ? 'HEAD is detached' : `it is on ${look.branch}`
    throw blocked(`${repo} is not on the branch ${working_branch}: ${now}`, `git switch ${working_branch}`)
  }
  const isCheckedOut = look.branch === base_branch && look.head !== null
  if (!isCheckedOut && !(await machine.git.hasBranch(repo, base_branch))) {
    throw blocked(`there is no branch ${base_branch}`, `git branch ${base_branch}, or name another base_branch`)
  }
  if (look.dirty > 0 && policy.dirty === 'refuse') {
    const files = `${look.dirty} ${look.dirty === 1 ? 'file is' : 'files are'} not committed`
    throw blocked(`${files} in ${repo}`, 'Commit or stash them, or give --dirty include or --dirty snapshot.')
  }
  const commands = [...verification.story_commands, ...verification.run_commands]
  for (const command of commands) {
    const missing = missingProgram(machine, command, repo)
    const says = `no such program: ${missing}, named by ${JSON.stringify(command.slice(0, 80))}`
    if (missing) {
      const hint = 'Install it, or name another command.'
      throw new DeliveryError('story_verification_failed', says, { hint, pointer: '/verification' })
    }
  }
}

/** Whoever commits is known before the first agent is paid, or the story would be verified and stay uncommitted. */
export async function checkAuthor({ git }: Machine, repo: string, author: DeliveryRequest['author']): Promise<void> {
  try {
    await git.checkAuthor(repo, author)
  } catch (error) {
    if (!(error instanceof RepositoryBlockedError)) throw error
    throw blocked(error.message, 'Or give --author "Your Name <you@example.com>", or --no-commit.')
  }
}

const blocked = (message: string, hint: string): DeliveryError =>
  new DeliveryError('blocked_dependency', message, { hint })

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** What every shell has built in, or knows as a word of its language. */
const builtIn = new Set(
  `. : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash jobs kill printf pwd read
   readonly return set shift test times trap true type ulimit umask unalias unset wait if then else elif fi for do done
   while until case esac ! { }`.split(/\s+/),
)

/** A program that a command names and that no change in the repository could bring: no path, and nowhere to be found. */
export function missingProgram(
  { findProgram }: Pick<Machine, 'findProgram'>,
  command: string,
  cwd: string,
): string | undefined {
  return firstWords(command)?.find(
    (word) => !builtIn.has(word) && !word.includes('/') && !word.includes('=') && !findProgram(word, cwd),
  )
}
