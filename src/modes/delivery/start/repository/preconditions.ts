import { statSync } from 'node:fs'
import type { OwnText } from '../../../../contract/programs.ts'
import { sha256 } from '../../../../judging/sha256.ts'
import { RepositoryBlockedError } from '../../../../ports/snapshots.ts'
import type { Machine } from '../../../../run/machine.ts'
import type { RunInput } from '../../contract/input.ts'
import type { Plan } from '../../contract/plan.ts'
import type { DeliveryRequest } from '../../contract/request.ts'
import { listStoryCommands } from '../../core/planner/story.ts'
import { firstWords, refuseCommand } from '../input/command-policy.ts'
import { DeliveryError } from '../input/contract-error.ts'
import { readPrd } from '../input/read-prd.ts'

/** Throws if the input is wrong in any state of the repository. */
export function checkInput({ git }: Pick<Machine, 'git'>, input: RunInput): void {
  const { repo_path: repo } = input
  const root = isFolder(repo) ? git.findWorkTree(repo) : undefined
  if (root === undefined) throw badInput(`${repo} is not a git repository`, '/repo_path')
  const { story_commands, run_commands, by_requirement = {}, allow } = input.verification
  for (const command of [...story_commands, ...run_commands, ...Object.values(by_requirement).flat()]) {
    const refused = refuseCommand(command, allow)
    if (refused)
      throw new DeliveryError('story_verification_failed', `a command is refused: ${refused}`, {
        pointer: '/verification',
      })
  }
}

/** Throws if the plan was made from another PRD or other commands. */
export function checkPlan(input: RunInput, plan: Plan): void {
  if (plan.prd_sha256 !== sha256(readPrd(input.repo_path, input.prd_path))) {
    throw badInput(`the plan was made from another version of ${input.prd_path}`, '/prd_sha256', planAgain)
  }
  const other = plan.stories.find(({ id, source, acceptance_criteria, verification }) => {
    const ids = [source.id, ...acceptance_criteria.map((criterion) => criterion.id)].filter((one) => one !== null)
    return JSON.stringify(listStoryCommands(id, ids, input.verification)) !== JSON.stringify(verification)
  })
  if (other) throw badInput(`the plan has other commands for ${other.id} than the run input`, '/stories', planAgain)
}

const planAgain: OwnText = (pawl) => `Plan again: ${pawl} plan --input <run-input.json> --out-dir <dir>`
const badInput = (message: string, pointer: string, hint?: OwnText): DeliveryError =>
  new DeliveryError('plan_generation_failed', message, { hint, pointer })

/** Throws if a person must fix something before the run can start. Costs nothing. */
export async function checkRepository(machine: Machine, input: RunInput): Promise<void> {
  const { repo_path: repo, working_branch, base_branch, policy, verification } = input
  const repository = machine.git.openRepository(repo)
  const look = await repository.look()
  if (!look) throw blocked(`git status failed in ${repo}`, 'Run git status there to see why.')
  if (look.problem !== undefined) {
    throw blocked(`git cannot read ${repo}: ${look.problem}`, 'Fix what git reports, then try again.')
  }
  if (look.branch !== working_branch) {
    const now = look.branch === null ? 'HEAD is detached' : `it is on ${look.branch}`
    throw blocked(`${repo} is not on branch ${working_branch}: ${now}`, `git switch ${working_branch}`)
  }
  const isCheckedOut = look.branch === base_branch && look.head !== null
  if (!isCheckedOut && !(await machine.git.hasBranch(repo, base_branch))) {
    throw blocked(`there is no branch ${base_branch}`, `git branch ${base_branch}, or use another base_branch`)
  }
  if (look.dirty > 0 && policy.dirty === 'refuse') {
    const files = `${look.dirty} ${look.dirty === 1 ? 'file is' : 'files are'} not committed`
    const changes = await repository.changesSince(look.head)
    const names = (changes?.files ?? []).map(({ path }) => path)
    const named = names.length > 0 ? `: ${listNames(names)}` : ''
    throw blocked(`${files} in ${repo}${named}`, 'Commit or stash them, or give --dirty include or --dirty snapshot.')
  }
  const commands = [...verification.story_commands, ...verification.run_commands]
  for (const command of commands) {
    const missing = missingProgram(machine, command, repo)
    const says = `no such program: ${missing}, needed by ${JSON.stringify(command.slice(0, 80))}`
    if (missing) {
      const hint = 'Install it, or use another command.'
      throw new DeliveryError('story_verification_failed', says, { hint, pointer: '/verification' })
    }
  }
}

/** Throws if git has no author. Otherwise a story would be paid for, verified and then not committed. */
export async function checkAuthor({ git }: Machine, repo: string, author: DeliveryRequest['author']): Promise<void> {
  try {
    await git.checkAuthor(repo, author)
  } catch (error) {
    if (!(error instanceof RepositoryBlockedError)) throw error
    throw blocked(error.message, 'Or give --author "Your Name <you@example.com>", or --no-commit.')
  }
}

const maxNames = 5

/** Names the first files. */
export function listNames(files: readonly string[]): string {
  const more = files.length > maxNames ? ` and ${files.length - maxNames} more` : ''
  return `${files.slice(0, maxNames).join(', ')}${more}`
}

const blocked = (message: string, hint: string): DeliveryError =>
  new DeliveryError('blocked_dependency', message, { hint })

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Builtins and keywords of every shell. */
const builtIn = new Set(
  `. : [ alias bg break cd command continue echo eval exec exit export false fg getopts hash jobs kill printf pwd read
   readonly return set shift test times trap true type ulimit umask unalias unset wait if then else elif fi for do done
   while until case esac ! { }`.split(/\s+/),
)

/** Returns a program that the command needs, that is not installed and that no change in the repository could add. */
export function missingProgram(
  { findProgram }: Pick<Machine, 'findProgram'>,
  command: string,
  cwd: string,
): string | undefined {
  return firstWords(command)?.find(
    (word) => !builtIn.has(word) && !word.includes('/') && !word.includes('=') && !findProgram(word, cwd),
  )
}
