import { isAbsolute, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Agents may write their login and state, but not the settings, hooks and programs that decide how they run for this user,
 * whether those exist yet or not.
 */
export function agentPaths(home: string, env: Environment) {
  const base = baseFolders(home, env)
  const claude = chooseFolder(env.CLAUDE_CONFIG_DIR, join(home, '.claude'))
  const codex = chooseFolder(env.CODEX_HOME, join(home, '.codex'))
  const opencode = join(base.config, 'opencode')
  const inside = (folder: string, ...names: string[]) => names.map((name) => join(folder, name))
  return {
    writable: [
      claude,
      codex,
      opencode,
      ...[base.data, base.state, base.cache].map((folder) => join(folder, 'opencode')),
    ],
    protectedFolders: [
      ...inside(claude, 'hooks'),
      ...inside(codex, 'rules'),
      ...inside(opencode, 'plugin', 'plugins', 'tool', 'tools'),
    ],
    protectedFiles: [
      ...inside(claude, 'settings.json'),
      ...inside(codex, 'config.toml', 'hooks.json'),
      ...inside(opencode, 'opencode.json', 'opencode.jsonc', 'config.json'),
    ],
    // Both state and settings: claude writes its start count there, and reads from it which servers to start. It keeps
    // nothing there that the next attempt needs. The second is its older name.
    copiedFiles: [claudeState(home, env), ...inside(claude, '.config.json')],
  }
}

const claudeState = (home: string, env: Environment): string =>
  join(chooseFolder(env.CLAUDE_CONFIG_DIR, home), '.claude.json')

/**
 * Returns a settings file without any setting for each agent that has a folder. Created before agents start: a sandbox
 * can protect only an existing file while a command runs.
 */
export function emptySettings(home: string, env: Environment): readonly EmptyFile[] {
  const claude = chooseFolder(env.CLAUDE_CONFIG_DIR, join(home, '.claude'))
  const codex = chooseFolder(env.CODEX_HOME, join(home, '.codex'))
  const opencode = join(baseFolders(home, env).config, 'opencode')
  return [
    { folder: claude, path: join(claude, 'settings.json'), text: '{}\n' },
    { folder: claude, path: claudeState(home, env), text: '{}\n' },
    { folder: codex, path: join(codex, 'config.toml'), text: '' },
    {
      folder: opencode,
      path: join(opencode, 'opencode.json'),
      text: '{ "$schema": "https://opencode.ai/config.json" }\n',
    },
  ]
}

export type EmptyFile = { readonly folder: string; readonly path: string; readonly text: string }

/** Returns the folders that an agent creates on its first start. A sandbox can make only existing folders writable. */
export function agentFolders(program: string, home: string, env: Environment): string[] {
  const base = baseFolders(home, env)
  if (program === 'claude') return [chooseFolder(env.CLAUDE_CONFIG_DIR, join(home, '.claude'))]
  if (program === 'codex') return [chooseFolder(env.CODEX_HOME, join(home, '.codex'))]
  return program === 'opencode' ? Object.values(base).map((folder) => join(folder, 'opencode')) : []
}

/**
 * Returns the caches that the tools of a repository create on their first start, on a new account. `has` tells which files
 * the repository has.
 */
export function cacheFolders(home: string, env: Environment, has: (name: string) => boolean): string[] {
  const { cache } = baseFolders(home, env)
  const cargo = chooseFolder(env.CARGO_HOME, join(home, '.cargo'))
  const go = chooseFolder(env.GOPATH, join(home, 'go'))
  return [
    cache,
    ...(has('package.json') ? [chooseFolder(env.npm_config_cache, join(home, '.npm'))] : []),
    ...(has('Cargo.toml') ? [join(cargo, 'registry'), join(cargo, 'git')] : []),
    ...(has('go.mod') ? [chooseFolder(env.GOMODCACHE, join(go, 'pkg'))] : []),
    ...(has('pom.xml') ? [join(home, '.m2', 'repository')] : []),
    ...(has('build.gradle') || has('build.gradle.kts') ? [join(home, '.gradle', 'caches')] : []),
  ]
}

/** Returns the download caches of build tools, but not their programs or configuration. */
export function cachePaths(home: string, env: Environment): string[] {
  const { cache, data } = baseFolders(home, env)
  const cargo = chooseFolder(env.CARGO_HOME, join(home, '.cargo'))
  const go = chooseFolder(env.GOPATH, join(home, 'go'))
  return [
    cache,
    chooseFolder(env.npm_config_cache, join(home, '.npm')),
    ...['registry', 'git', '.package-cache', '.package-cache-mutate', '.global-cache'].map((name) => join(cargo, name)),
    chooseFolder(env.GOMODCACHE, join(go, 'pkg')),
    chooseFolder(env.GOCACHE, join(cache, 'go-build')),
    join(data, 'pnpm', 'store'),
    ...['.bun/install/cache', '.m2/repository', '.nuget/packages', '.ivy2/cache', '.deno'].map((name) =>
      join(home, name),
    ),
    ...['caches', 'daemon', 'native', 'wrapper'].map((name) => join(home, '.gradle', name)),
  ]
}

function baseFolders(home: string, env: Environment) {
  return {
    config: chooseFolder(env.XDG_CONFIG_HOME, join(home, '.config')),
    data: chooseFolder(env.XDG_DATA_HOME, join(home, '.local', 'share')),
    state: chooseFolder(env.XDG_STATE_HOME, join(home, '.local', 'state')),
    cache: chooseFolder(env.XDG_CACHE_HOME, join(home, '.cache')),
  }
}

function chooseFolder(value: string | undefined, fallback: string): string {
  return value && isAbsolute(value) ? value : fallback
}
