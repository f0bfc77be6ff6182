import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Plan = { readonly stories: readonly { readonly id: string; readonly verification: readonly string[] }[] }
type Result = { readonly stories: readonly { readonly id: string; readonly commit: string | null }[] }

/**
 * Checks out the commit of every story that a delivery has done, in another folder, and runs the story's commands there. Ignored files of the work
 * tree come along: commands may need what is installed. Returns the commits that are red. `runs` has the folders of runs.
 */
export function findRedCommits(workspace: string, runs: string, env: NodeJS.ProcessEnv): string[] {
  const isFolder = fs.statSync(runs, { throwIfNoEntry: false })?.isDirectory() ?? false
  return (isFolder ? fs.readdirSync(runs) : []).flatMap((name) => {
    const dir = join(runs, name)
    const [plan, result] = [readJson<Plan>(dir, 'plan.json'), readJson<Result>(dir, 'result.json')]
    return (result?.stories ?? []).flatMap(({ id, commit }) => {
      const commands = plan?.stories.find((story) => story.id === id)?.verification ?? []
      return commit && commands.length > 0 ? findRed(workspace, commit, commands, env) : []
    })
  })
}

function findRed(workspace: string, commit: string, commands: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const folder = fs.mkdtempSync(join(tmpdir(), 'pawl-elsewhere-'))
  const git = (cwd: string, ...words: string[]): string =>
    execFileSync('git', words, { cwd, env, encoding: 'utf8', stdio: 'pipe' })
  try {
    git(workspace, 'clone', '--quiet', '--shared', '--no-checkout', '.', folder)
    git(folder, 'checkout', '--quiet', '--detach', commit)
    for (const path of git(workspace, 'ls-files', '-oi', '--exclude-standard', '--directory').split('\n')) {
      const name = path.replace(/\/$/, '')
      if (name !== '' && !name.startsWith('.pawl') && fs.existsSync(join(workspace, name)))
        fs.cpSync(join(workspace, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
    }
    return commands.flatMap((command) => {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' })
      return status === 0 ? [] : [`${commit}: ${command} exits with ${status} elsewhere: ${stdout}${stderr}`]
    })
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function readJson<Value>(dir: string, name: string): Value | undefined {
  try {
    return JSON.parse(fs.readFileSync(join(dir, name), 'utf8')) as Value
  } catch {
    return undefined
  }
}
