import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { RunInput } from '../../src/modes/delivery/contract/input.ts'
import { formatPlan } from '../../src/modes/delivery/core/planner/story.ts'
import { planPrd } from '../../src/modes/delivery/start/plan-prd.ts'

export const stories = ['S1', 'S2', 'S3'] as const

const prd = `# Three small files

## Tasks

- **T1:** Write the first file.
- **T2:** Write the second file. Depends on T1.
- **T3:** Write the third file.
`

// It leaves a daemon behind, lies first, and is at work for a moment before anything of it is to be seen.
const agentWith = (more: string): string => `cat >/dev/null
echo "$PAWL_STORY_ID" >>kept/calls
setsid nohup sleep 300 >/dev/null 2>&1 &
${more}
[ "$PAWL_STORY_ID-$PAWL_ATTEMPT" = S1-1 ] && { echo 'All tests pass.'; exit 0; }
sleep 0.1
echo "begun by attempt $PAWL_ATTEMPT" >>"$PAWL_STORY_ID.txt"
echo done >>"$PAWL_STORY_ID.txt"
`
export const proof = 'grep -qx done {story_id}.txt'

/** With commits on the branch, from a clean tree, going back after each failure, or beside work of the user's; or with refs alone. */
export const ways = ['deliver', 'deliver dirty', 'execute', 'deliver restore'] as const
export type Way = (typeof ways)[number]

export type ThreeStories = ReturnType<typeof newThreeStories>

/** `sandbox` is that of `execute`; `deliver` takes it from the environment. */
type Options = { readonly moreAgent?: string; readonly sandbox?: RunInput['sandbox'] }

/** A repository with files of a user's own, a PRD of three stories in it, and the words that deliver it. */
export function newThreeStories(way: Way, { moreAgent = '', sandbox = 'auto' }: Options = {}) {
  const root = fs.mkdtempSync(join(tmpdir(), 'pawl-stories-'))
  const repo = join(root, 'repo')
  const at = (path: string): string => join(repo, path)
  const outDir = join(root, 'out')
  const git = (...args: string[]): string => {
    const env = { PATH: process.env.PATH!, HOME: root, LC_ALL: 'C' }
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: repo, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}${stdout}`)
    return stdout.trim()
  }
  fs.cpSync(template(), root, { recursive: true })
  fs.writeFileSync(join(root, 'agent.sh'), agentWith(moreAgent))
  const command = ['--ai-cmd', `sh ${join(root, 'agent.sh')}`]
  const dirty = way === 'deliver dirty' || way === 'execute'
  if (dirty) fs.appendFileSync(at('notes.txt'), 'not committed\n')
  if (dirty) fs.writeFileSync(at('mine.txt'), 'not tracked\n')
  fs.writeFileSync(join(root, 'input.json'), JSON.stringify({ ...inputOf(root), sandbox }))
  const files = ['input', 'plan', 'out-dir'].flatMap((name) => [
    `--${name}`,
    name === 'out-dir' ? outDir : join(root, `${name}.json`),
  ])
  const flags = [
    ...(dirty ? ['--dirty', 'include'] : []),
    ...(way === 'deliver restore' ? ['--on-fail', 'restore'] : []),
  ]
  const words =
    way === 'execute'
      ? ['execute', ...files, ...command]
      : ['deliver', 'PRD.md', '--verify', proof, ...command, '--trust', ...flags]
  const users = ['notes.txt', 'kept/secret.bin', ...(dirty ? ['mine.txt'] : [])]
  return {
    way,
    root,
    repo,
    outDir,
    at,
    git,
    words,
    first: git('rev-parse', 'HEAD'),
    userFiles: new Map(users.map((path) => [path, fs.readFileSync(at(path), 'latin1')])),
    /** What `git status` says before, and must say again. */
    dirt: dirty ? [' M notes.txt', '?? mine.txt'] : [],
    /** The folder of the run, once it has a journal. More than one would be one too many. */
    runFolders: (): string[] =>
      (way === 'execute' ? [outDir] : foldersIn(at('.pawl/runs'))).filter((dir) =>
        fs.existsSync(join(dir, 'progress.ndjson')),
      ),
    callsOf: (story: string): number =>
      fs.existsSync(at('kept/calls'))
        ? fs
            .readFileSync(at('kept/calls'), 'utf8')
            .split('\n')
            .filter((line) => line === story).length
        : 0,
    remove: () => fs.rmSync(root, { recursive: true, force: true }),
  }
}

const verification = { story_commands: [proof], run_commands: ['test -s S3.txt'] }

const inputOf = (root: string): Partial<RunInput> => ({
  contract_version: 1,
  run_id: `run_${basename(root)}`,
  repo_path: join(root, 'repo'),
  prd_path: 'PRD.md',
  base_branch: 'main',
  working_branch: 'main',
  verification,
})

const foldersIn = (folder: string): string[] =>
  fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => join(folder, name)) : []

let made: string | undefined

/** Made once: copying is quicker than asking git five times for every case. */
function template(): string {
  if (made) return made
  const root = fs.mkdtempSync(join(tmpdir(), 'pawl-stories-template-'))
  process.once('exit', () => fs.rmSync(root, { recursive: true, force: true }))
  const repo = join(root, 'repo')
  fs.mkdirSync(join(repo, 'kept'), { recursive: true })
  fs.writeFileSync(join(repo, 'PRD.md'), prd)
  fs.writeFileSync(join(repo, '.gitignore'), 'kept/\n')
  fs.writeFileSync(join(repo, 'notes.txt'), 'of the user\n')
  fs.writeFileSync(join(repo, 'kept', 'secret.bin'), Buffer.from([0, 255, 10, 13, 128]))
  const git = (...args: string[]) => spawnSync('git', args, { cwd: repo, env: { PATH: process.env.PATH!, HOME: root } })
  git('init', '-q', '-b', 'main', '--template=')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  fs.writeFileSync(join(root, 'plan.json'), formatPlan(planPrd(repo, 'PRD.md', verification).plan))
  made = root
  return root
}
