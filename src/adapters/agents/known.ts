import type { AgentName } from './dialects.ts'

/** Facts about an agent that are known before it is started. Data only. */
export type KnownAgent = {
  readonly program: string
  readonly versionArgs: readonly string[]
  /** The oldest and the newest version whose output has been recorded. */
  readonly tested: readonly [string, string]
  /** One line for people. */
  readonly install: string
  readonly login: {
    /** One line for people. */
    readonly how: string
    readonly files: readonly LoginFile[]
    /** Any of them, if not empty, counts as a login. Their values are never read further. */
    readonly variables: readonly string[]
    /** The place of a login that cannot be checked. Unless it is `nowhere`, finding no login proves nothing. */
    readonly elsewhere: 'nowhere' | 'macos-keychain' | 'no login needed'
  }
  readonly reports: {
    readonly tokens: boolean
    readonly costUsd: boolean
    /** When a usage limit ends, not only that there is one. */
    readonly limitReset: boolean
    /** Denied permissions. */
    readonly denials: boolean
  }
}

/** `path` is relative to the folder in `variable`, or by default to `folder` in the user's home. */
export type LoginFile = { readonly variable: string; readonly folder: string; readonly path: string }

/** Every known agent, best reporting first. `init` prefers them in this order. */
export const knownAgents: Readonly<Record<AgentName, KnownAgent>> = {
  claude: {
    program: 'claude',
    versionArgs: ['--version'],
    tested: ['2.0.76', '2.1.325'],
    install: 'npm install -g @anthropic-ai/claude-code',
    login: {
      how: 'start claude once and log in, or set ANTHROPIC_API_KEY',
      files: [{ variable: 'CLAUDE_CONFIG_DIR', folder: '.claude', path: '.credentials.json' }],
      variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      elsewhere: 'macos-keychain',
    },
    reports: { tokens: true, costUsd: true, limitReset: true, denials: true },
  },
  codex: {
    program: 'codex',
    versionArgs: ['--version'],
    tested: ['0.42.0', '0.166.0'],
    install: 'npm install -g @openai/codex',
    login: {
      how: 'codex login, or set CODEX_API_KEY',
      files: [{ variable: 'CODEX_HOME', folder: '.codex', path: 'auth.json' }],
      variables: ['CODEX_API_KEY'],
      elsewhere: 'nowhere',
    },
    // Limits arrive as error text without a reliable reset time.
    reports: { tokens: true, costUsd: false, limitReset: false, denials: false },
  },
  opencode: {
    program: 'opencode',
    versionArgs: ['--version'],
    tested: ['1.14.41', '1.18.33'],
    install: 'npm install -g opencode-ai',
    login: {
      how: 'opencode auth login',
      files: [{ variable: 'XDG_DATA_HOME', folder: '.local/share', path: 'opencode/auth.json' }],
      variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY', 'XAI_API_KEY'],
      // Local models and some free ones need no login.
      elsewhere: 'no login needed',
    },
    // Reports dollars per step, 0 for a model without a price.
    reports: { tokens: true, costUsd: true, limitReset: false, denials: true },
  },
}
