export type AgentName = 'claude' | 'codex' | 'opencode'

/** How an agent is called without a person at hand; `readers.ts` says how its output is understood. The prompt comes on stdin. */
export type Dialect = {
  readonly argv: readonly [string, ...string[]]
  readonly modelFlag: string
  /** Arguments that make the agent itself hold to what is left to spend. */
  readonly capArgs?: (costUsd: number) => readonly string[]
  /** What is called instead where our own sandbox holds it: one inside the other does not start. */
  readonly confined?: (argv: readonly string[]) => readonly string[]
  /** Variables that it needs beside the usual ones. */
  readonly env: readonly string[]
  /** How it is called to answer and to do nothing else: no tools, nothing kept, as far as it lets itself be told. */
  readonly asModel: { readonly argv: readonly [string, ...string[]]; readonly env?: Readonly<Record<string, string>> }
}

/** A name without a dialect does not compile. */
export const dialects: Readonly<Record<AgentName, Dialect>> = {
  claude: {
    // Bypassing permissions altogether is refused to root; naming the tools is not, and a person's deny rules still hold.
    argv: [
      'claude',
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash,Edit,Write,NotebookEdit,Read,Glob,Grep,Task,TodoWrite,WebFetch,WebSearch',
    ],
    modelFlag: '--model',
    capArgs: (costUsd) => ['--max-budget-usd', Math.max(0.01, costUsd).toFixed(2)],
    env: ['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC', 'DISABLE_AUTOUPDATER'],
    asModel: {
      // A prompt that begins with a slash is a prompt; and told so it answers rather than codes.
      argv: [
        'claude',
        '-p',
        '--output-format',
        'stream-json',
        '--verbose',
        '--tools',
        '',
        '--strict-mcp-config',
        '--disable-slash-commands',
        '--no-session-persistence',
        '--system-prompt',
        'Answer with exactly the text that is asked for.',
      ],
    },
  },
  codex: {
    argv: ['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'workspace-write', '-'],
    modelFlag: '--model',
    confined: (argv) => argv.map((word) => (word === 'workspace-write' ? 'danger-full-access' : word)),
    env: ['CODEX_API_KEY'],
    asModel: {
      argv: ['codex', 'exec', '--json', '--ephemeral', '--skip-git-repo-check', '--sandbox', 'read-only', '-'],
    },
  },
  opencode: {
    argv: ['opencode', 'run', '--format', 'json', '--auto'],
    modelFlag: '--model',
    env: ['OPENCODE_*'],
    // Without a title it asks a model for one.
    asModel: {
      argv: ['opencode', 'run', '--format', 'json', '--title', 'pawl'],
      env: { OPENCODE_DB: ':memory:', OPENCODE_CONFIG_CONTENT: '{"permission":{"*":"deny"},"share":"disabled"}' },
    },
  },
}

export const isAgentName = (name: string): name is AgentName => Object.hasOwn(dialects, name)

/** Undefined for a command of which nothing but its exit code is known. */
export function findDialect(name: string): Pick<Dialect, 'capArgs' | 'confined' | 'env'> | undefined {
  if (name === 'acp') return acp
  return isAgentName(name) ? dialects[name] : undefined
}

/** Whichever agent stands behind the protocol: it may be any of the above. */
const acp = { env: Object.values(dialects).flatMap(({ env }) => env) }
