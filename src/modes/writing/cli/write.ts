import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { decodeText, readStandardInput } from '../../../config/input/text-input.ts'
import { PawlError } from '../../../contract/exit.ts'
import { createStarter } from '../../../surfaces/terminal/ask.ts'
import type { Handler, Invocation } from '../../../surfaces/terminal/command.ts'
import { driveStarted } from '../../../surfaces/terminal/drive.ts'
import { readAnswers } from '../project/answers.ts'
import { projectFile } from '../project/project.ts'
import { iterate } from '../start/start.ts'
import { runRepl } from './repl.ts'

/** Without a target: the REPL. With one: a single iteration, which asks nobody if there are answers. */
export const handle: Handler = async (invocation) => {
  const { args, options } = invocation
  const { studio, project } = findStudio(process.cwd(), args[0])
  if (options.target === undefined) {
    if (options.feedback !== undefined)
      throw new PawlError(2, '--feedback needs --target', 'Name the level: --target chapters')
    return runRepl(invocation, studio, project)
  }
  return runOne(invocation, studio, project)
}

/** The folder of the projects. In a project's own folder it is the folder above. */
function findStudio(
  cwd: string,
  given: string | undefined,
): { readonly studio: string; readonly project: string | undefined } {
  if (given === undefined) {
    return existsSync(join(cwd, projectFile))
      ? { studio: dirname(cwd), project: basename(cwd) }
      : { studio: cwd, project: undefined }
  }
  const folder = resolve(cwd, given)
  if (existsSync(join(folder, projectFile))) return { studio: dirname(folder), project: basename(folder) }
  if (existsSync(folder) && !given.includes('..')) return { studio: folder, project: undefined }
  throw new PawlError(30, `there is no project ${given} here`, (pawl) => `To make one: ${pawl} write, then /new`)
}

async function runOne(invocation: Invocation, studio: string, project: string | undefined) {
  const { options, program } = invocation
  if (project === undefined)
    throw new PawlError(2, 'name the project', (pawl) => `For example: ${pawl} write my-novel --target chapters`)
  const feedback = await readFeedback(options.feedback, options.generate === true)
  const answers = typeof options.answers === 'string' ? readAnswers(options.answers, process.cwd()) : undefined
  const given = {
    ...options,
    kind: options.generate === true ? 'generate' : 'iterate',
    studio,
    project,
    feedback,
    // Without a person nobody reads the long screens as they come.
    ...(answers && { answers, view: options.view ?? 'compact' }),
  }
  return driveStarted(invocation, await iterate.start(program.machine, given, createStarter(invocation)))
}

async function readFeedback(given: unknown, isGenerated: boolean): Promise<string> {
  if (given === '-') return decodeText(await readStandardInput(process.stdin), 'standard input').trim()
  if (typeof given === 'string' && given.trim() !== '') return given
  if (isGenerated) return ''
  throw new PawlError(2, 'say what to change: --feedback "…"')
}
