import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'
import type { Case } from './case.ts'
import { caseEnvironment, layOut } from './lay-out.ts'

export type CaseResult = {
  /** The evidence of a story that is done, or else its status; `not started` if the run was refused. */
  readonly evidence: string
  readonly because: string | null
  readonly runs: readonly string[]
  readonly commit: string | null
  readonly said: string
  readonly workspace: string
  /** The exit code of its commands on the commit elsewhere; 0 if there is no commit. */
  readonly elsewhere: number | null
}

const prdOf = (names: readonly string[]): string =>
  `# Work\n\n## Acceptance Criteria\n\n- **AC-01:** It does what its tests ask for.${names.map((name) => ` Change \`${name}\`.`).join('')}\n`

/** Delivers the one story of a case with the real program. */
export async function judgeCase(one: Case, ...flags: string[]): Promise<CaseResult> {
  const { files, ...project } = one.in
  const applied = join(import.meta.dirname, 'agent.ts')
  const here = newWorkspace({
    config: { ai_cmd: `${process.execPath} ${applied} .pawl/case.json`, env: ['GOCACHE'], ...one.in.config },
    env: { PAWL_SANDBOX: 'auto', ...caseEnvironment },
    elsewhere: false,
    // A room has a /tmp of its own, unless the work tree lies in it.
    under: '/var/tmp',
  })
  const { workspace } = here
  const own = { 'work.md': prdOf(one.names ?? []), '.gitignore': `${files['.gitignore'] ?? ''}\n.pawl\n` }
  layOut({ ...project, files: { ...files, ...own } }, workspace, here.env)
  fs.writeFileSync(join(workspace, '.pawl', 'case.json'), JSON.stringify({ ...one, in: undefined }))
  const words = ['--attempts', '1', '--red-baseline', 'accept', '--trust', ...flags]
  const { out, err } = await here.start('deliver', 'work.md', '--verify', one.in.verify, ...words)
  const said = out + err
  if (!fs.existsSync(join(workspace, '.pawl', 'runs')))
    return { evidence: 'not started', because: null, runs: [], commit: null, said, workspace, elsewhere: 0 }
  const path = join(here.dirOf(), 'result.json')
  const [story] = (JSON.parse(fs.readFileSync(path, 'utf8')) as { stories: readonly StoryResult[] }).stories
  const { evidence, status, because, runs: made = [], commit } = story!
  return {
    evidence: evidence ?? status,
    because,
    runs: made.map(({ run, ended, times = 1 }) => `${run} ${ended}${times > 1 ? ` ${times} times` : ''}`),
    commit,
    said,
    workspace,
    // With results, tests of other stories stay red.
    elsewhere: commit === null || one.in.config?.results ? 0 : verifyElsewhere(one, workspace, commit),
  }
}

/** Checks the commit out in another folder, beside the ignored files of the start, and verifies it again. */
function verifyElsewhere({ in: project }: Case, workspace: string, commit: string): number | null {
  const all = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'pawl-elsewhere-')))
  const [folder, home] = [join(all, 'work'), join(all, 'home')]
  const env = { ...process.env, ...caseEnvironment, HOME: home }
  try {
    for (const path of [folder, home]) fs.mkdirSync(path)
    layOut(project, folder, env)
    const git = (...words: string[]): unknown => execFileSync('git', words, { cwd: folder, env, stdio: 'pipe' })
    git('fetch', '--quiet', '--tags', '--force', '--recurse-submodules=no', workspace, commit)
    const stored = join(workspace, '.git', 'lfs')
    if (fs.existsSync(stored)) fs.cpSync(stored, join(folder, '.git', 'lfs'), { recursive: true })
    git('checkout', '--quiet', '--force', commit)
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update')
    const { setup = [], prepare = [] } = (project.config ?? {}) as { setup?: string[]; prepare?: string[] }
    const commands = [...setup, ...prepare, project.verify].join(' && ')
    return spawnSync('/bin/sh', ['-c', commands], { cwd: folder, env, stdio: 'ignore' }).status
  } finally {
    fs.rmSync(all, { recursive: true, force: true })
  }
}

type StoryResult = {
  readonly evidence: string | null
  readonly status: string
  readonly because: string | null
  readonly runs?: readonly { readonly run: string; readonly ended: string; readonly times?: number }[]
  readonly commit: string | null
}
