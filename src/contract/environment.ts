type Variables = Readonly<Record<string, string | undefined>>

export type EnvironmentOptions = {
  /** Variables to pass besides the default ones; a trailing `*` makes a prefix. */
  readonly allow: readonly string[]
  readonly add: Readonly<Record<string, string>>
}

/** Builds the complete environment of a process. Only listed variables pass. */
export function buildEnvironment(from: Variables, options: EnvironmentOptions): Record<string, string> {
  const allowed = [...defaults, ...options.allow]
  const passes = (name: string) => options.allow.includes(name) || (fits(name, allowed) && !fits(name, nestedAgent))
  const passing = Object.entries(from).filter(([name, value]) => value !== undefined && passes(name))
  return { ...(Object.fromEntries(passing) as Record<string, string>), ...options.add }
}

/** Returns values that must never be shown. Short values are left out: masking them would hide ordinary words. */
export function findSecretValues(env: Variables): string[] {
  const values = Object.entries(env).flatMap(([name, value]) => (isSecretName.test(name) && value ? [value] : []))
  return [...new Set(values.filter((value) => value.length >= 8))]
}

/** Matches names of variables whose values are secrets. */
export const isSecretName = /KEY|TOKEN|SECRET|PASSWORD|DATABASE_URL/i

const providers = ['ANTHROPIC', 'OPENAI', 'XAI', 'GEMINI', 'OPENROUTER']
const defaults = [
  ...'PATH HOME USER LOGNAME SHELL LANG LC_* TERM COLORTERM TZ TMPDIR XDG_*'.split(' '),
  ...'SSH_AUTH_SOCK SSL_CERT_* NODE_EXTRA_CA_CERTS *_PROXY *_proxy'.split(' '),
  ...providers.flatMap((name) => [`${name}_API_KEY`, `${name}_AUTH_TOKEN`, `${name}_BASE_URL`, `${name}_API_BASE`]),
  ...'GOOGLE_API_KEY OLLAMA_HOST CODEX_HOME CLAUDE_CONFIG_DIR'.split(' '),
]

/** These make an agent believe that it runs inside another agent. They pass only by full name, never by prefix. */
const nestedAgent = ['CLAUDECODE', 'CLAUDE_CODE_*', 'CODEX_SANDBOX*', 'PAWL_*']

function fits(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    if (pattern.endsWith('*')) return name.startsWith(pattern.slice(0, -1))
    if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1))
    return name === pattern
  })
}
