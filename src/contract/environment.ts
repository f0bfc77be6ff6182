type Variables = Readonly<Record<string, string | undefined>>

export type EnvironmentOptions = {
  /** Names that pass besides the usual ones; a trailing `*` makes a prefix. */
  readonly allow: readonly string[]
  readonly add: Readonly<Record<string, string>>
}

/** The whole environment of a process: what is named passes, everything else stays behind. */
export function buildEnvironment(from: Variables, options: EnvironmentOptions): Record<string, string> {
  const allowed = [...usual, ...options.allow]
  const passes = (name: string) => options.allow.includes(name) || (fits(name, allowed) && !fits(name, nestedAgent))
  const passing = Object.entries(from).filter(([name, value]) => value !== undefined && passes(name))
  return { ...(Object.fromEntries(passing) as Record<string, string>), ...options.add }
}

/** Values that must never be shown. Shorter ones would mask ordinary words. */
export function findSecretValues(env: Variables): string[] {
  const values = Object.entries(env).flatMap(([name, value]) => (isSecretName.test(name) && value ? [value] : []))
  return [...new Set(values.filter((value) => value.length >= 8))]
}

/** Names of variables whose values are secrets. */
export const isSecretName = /KEY|TOKEN|SECRET|PASSWORD/i

const providers = ['ANTHROPIC', 'OPENAI', 'XAI', 'GEMINI', 'OPENROUTER']
const usual = [
  ...'PATH HOME USER LOGNAME SHELL LANG LC_* TERM COLORTERM TZ TMPDIR XDG_*'.split(' '),
  ...'SSH_AUTH_SOCK SSL_CERT_* NODE_EXTRA_CA_CERTS *_PROXY *_proxy'.split(' '),
  ...providers.flatMap((name) => [`${name}_API_KEY`, `${name}_AUTH_TOKEN`, `${name}_BASE_URL`, `${name}_API_BASE`]),
  ...'GOOGLE_API_KEY OLLAMA_HOST CODEX_HOME CLAUDE_CONFIG_DIR'.split(' '),
]

/** An agent that finds these believes it runs inside another one. They pass by their full name only, by no prefix. */
const nestedAgent = ['CLAUDECODE', 'CLAUDE_CODE_*', 'CODEX_SANDBOX*', 'PAWL_*']

function fits(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    if (pattern.endsWith('*')) return name.startsWith(pattern.slice(0, -1))
    if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1))
    return name === pattern
  })
}
