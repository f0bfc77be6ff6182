export type AgentName = 'claude' | 'codex' | 'opencode'

/** Command line of an agent for unattended use, with the prompt on stdin. `readers.ts` parses its output. */
export type Dialect = {
  readonly argv: readonly [string, ...string[]]
  readonly modelFlag: string
  /** Arguments that make the agent itself respect the remaining budget. */
  readonly capArgs?: (costUsd: number) => readonly string[]
  /** Arguments inside our own sandbox: the agent's sandbox does not start inside another one. */
  readonly confined?: (argv: readonly string[]) => readonly string[]
  /** Environment variables that it needs besides the default ones. */
  readonly env: readonly string[]
  /** Command line for a text answer only: no tools and nothing stored, as far as the agent supports that. */
  readonly asModel: { readonly argv: readonly [string, ...string[]]; readonly env?: Readonly<Record<string, string>> }
}

/** Does not compile unless every agent name has a dialect. */
export const dialects: Readonly<Record<AgentName, Dialect>> = {
  claude: {
    // Claude refuses to bypass permissions as root. Naming the tools works, and the user's deny rules still apply.
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
      // A prompt may begin with a slash. The system prompt makes it answer instead of writing code.
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
    // From 1.18 on this flag is also called --auto; 1.14 to 1.17 know only this name.
    argv: ['opencode', 'run', '--format', 'json', '--dangerously-skip-permissions'],
    modelFlag: '--model',
    env: ['OPENCODE_*'],
    // Without a title, opencode calls a model to create one.
    asModel: {
      argv: ['opencode', 'run', '--format', 'json', '--title', 'pawl'],
      env: { OPENCODE_DB: ':memory:', OPENCODE_CONFIG_CONTENT: '{"permission":{"*":"deny"},"share":"disabled"}' },
    },
  },
}

export const isAgentName = (name: string): name is AgentName => Object.hasOwn(dialects, name)

/** Undefined for any other command: only its exit code is known. */
export function findDialect(name: string): Pick<Dialect, 'capArgs' | 'confined' | 'env'> | undefined {
  if (name === 'acp') return acp
  return isAgentName(name) ? dialects[name] : undefined
}

/** Any of the agents above may be behind the protocol. */
const acp = { env: Object.values(dialects).flatMap(({ env }) => env) }
