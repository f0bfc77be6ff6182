import { capture } from '../../adapters/shell/capture.ts'

/** Asks git about the demo's repository, for the demo itself. */
export async function askGit(repository: string, ...words: string[]): Promise<string> {
  const answer = await capture({
    argv: ['git', '--no-optional-locks', ...words],
    cwd: repository,
    env: { PATH: process.env.PATH ?? '', HOME: '/', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    maxBytes: 1 << 20,
    timeoutMs: 20_000,
  })
  if ('problem' in answer) throw new Error(answer.problem)
  if (answer.code !== 0) throw new Error(`git ${words[0]} exits with ${answer.code}: ${answer.stderrTail.trim()}`)
  return answer.stdout.toString('utf8').trim()
}

/** Of the branch, the oldest first. */
export const commitsOf = async (repository: string): Promise<string[]> =>
  (await askGit(repository, 'rev-list', '--reverse', 'HEAD')).split('\n')
