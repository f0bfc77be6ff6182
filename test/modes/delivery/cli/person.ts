import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'
import { honest, type Line } from './santiago.ts'

const prd = `# Letters

## Acceptance Criteria

- **AC-01:** The file \`S1\` is there.
- **AC-02:** The file \`S2\` is there.
`

type Options = {
  readonly agent?: readonly object[]
  readonly config?: object
  readonly verify?: string
  readonly ignore?: string
  readonly env?: Record<string, string>
}

/** A person's repository with a PRD of two stories, and `pawl deliver` in it. */
export function newPerson({ agent = honest, config, verify = 'test -s {story_id}', ignore = '', env }: Options = {}) {
  const here = newWorkspace({
    config: { agent: 'scripted', agent_script: 'agent.yml', ...config },
    agent: [...agent],
    ...(env && { env }),
  })
  const { workspace } = here
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: workspace, env: here.env, encoding: 'utf8' }).trim()
  fs.writeFileSync(join(workspace, 'letters.md'), prd)
  fs.writeFileSync(join(workspace, '.gitignore'), ignore)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('add', '.')
  git('commit', '--quiet', '-m', 'begin')
  const deliver = (...words: string[]) => here.start('deliver', 'letters.md', '--verify', verify, '--trust', ...words)
  const titles = (): string[] => git('log', '--format=%s').split('\n')
  const teach = (given: readonly object[]): void =>
    fs.writeFileSync(join(workspace, 'agent.yml'), stringify({ agent: given }))
  const tries = (): string[] =>
    (here.journal() as unknown as Line[]).flatMap(({ phase, status, story_id, attempt }) =>
      phase === 'execute' && status === 'started' && story_id ? [`${story_id} ${attempt}`] : [],
    )
  const result = (): Record<string, unknown> =>
    JSON.parse(fs.readFileSync(join(here.dirOf(), 'result.json'), 'utf8')) as Record<string, unknown>
  return { ...here, git, deliver, titles, teach, tries, result }
}
