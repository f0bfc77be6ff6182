import * as fs from 'node:fs'
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
  })
  const { workspace } = here
  const own = { 'work.md': prdOf(one.names ?? []), '.gitignore': `${files['.gitignore'] ?? ''}\n.pawl\n` }
  layOut({ ...project, files: { ...files, ...own } }, workspace, here.env)
  fs.writeFileSync(join(workspace, '.pawl', 'case.json'), JSON.stringify({ ...one, in: undefined }))
  const words = ['--attempts', '1', '--red-baseline', 'accept', '--trust', ...flags]
  const { out, err } = await here.start('deliver', 'work.md', '--verify', one.in.verify, ...words)
  const said = out + err
  if (!fs.existsSync(join(workspace, '.pawl', 'runs')))
    return { evidence: 'not started', because: null, runs: [], commit: null, said, workspace }
  const path = join(here.dirOf(), 'result.json')
  const [story] = (JSON.parse(fs.readFileSync(path, 'utf8')) as { stories: readonly StoryResult[] }).stories
  const { evidence, status, because, runs: made = [], commit } = story!
  return {
    evidence: evidence ?? status,
    because,
    runs: made.map(({ run, ended }) => `${run} ${ended}`),
    commit,
    said,
    workspace,
  }
}

type StoryResult = {
  readonly evidence: string | null
  readonly status: string
  readonly because: string | null
  readonly runs?: readonly { readonly run: string; readonly ended: string }[]
  readonly commit: string | null
}
