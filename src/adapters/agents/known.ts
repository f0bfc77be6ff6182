import type { AgentName } from './dialects.ts'

/** What there is to know of an agent before it is started. Data only. */
export type KnownAgent = {
  readonly program: string
  readonly versionArgs: readonly string[]
  /** One line for people. */
  readonly install: string
  readonly login: {
    /** One line for people. */
    readonly how: string
    readonly files: readonly LoginFile[]
    /** Any of them, set to something, is a login. Their values are nobody's business. */
    readonly variables: readonly string[]
    /** Where a login may lie that cannot be seen from here, so that finding none proves nothing. */
    readonly elsewhere: 'nowhere' | 'macos-keychain' | 'no login needed'
  }
  readonly reports: {
    readonly tokens: boolean
    readonly costUsd: boolean
    /** The moment at which a limit ends, not only that there is one. */
    readonly limitReset: boolean
    /** What it was not allowed to do. */
    readonly denials: boolean
  }
}

/** `path` below the folder that `variable` names, else below `folder` in the person's home. */
export type LoginFile = { readonly variable: string; readonly folder: string; readonly path: string }

/** A total record, best reporting first: that is also the order in which `init` prefers them. */
export const knownAgents: Readonly<Record<AgentName, KnownAgent>> = {
  claude: {
    program: 'claude',
    versionArgs: ['--version'],
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
    install: 'npm install -g @openai/codex',
    login: {
      how: 'codex login, or set CODEX_API_KEY',
      files: [{ variable: 'CODEX_HOME', folder: '.codex', path: 'auth.json' }],
      variables: ['CODEX_API_KEY'],
      elsewhere: 'nowhere',
    },
    // Limits reach us as the text of an error, which names no moment one could rely on.
    reports: { tokens: true, costUsd: false, limitReset: false, denials: false },
  },
  opencode: {
    program: 'opencode',
    versionArgs: ['--version'],
    install: 'npm install -g opencode-ai',
    login: {
      how: 'opencode auth login',
      files: [{ variable: 'XDG_DATA_HOME', folder: '.local/share', path: 'opencode/auth.json' }],
      variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY', 'XAI_API_KEY'],
      // Local models and some free ones ask for none.
      elsewhere: 'no login needed',
    },
    // Dollars per step; 0 for a model without a price.
    reports: { tokens: true, costUsd: true, limitReset: false, denials: true },
  },
}
