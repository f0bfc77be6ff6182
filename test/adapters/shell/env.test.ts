import { expect, test } from 'vitest'
import { buildEnvironment, findSecretValues } from '../../../src/contract/environment.ts'

const usual = {
  PATH: '/bin',
  HOME: '/home/a',
  LC_ALL: 'C',
  XDG_RUNTIME_DIR: '/run',
  HTTPS_PROXY: 'http://proxy',
  no_proxy: 'localhost',
  SSL_CERT_FILE: '/certs',
  ANTHROPIC_API_KEY: 'key-a-12345',
  ANTHROPIC_BASE_URL: 'http://a',
  OPENAI_API_KEY: 'key-o-12345',
  OPENROUTER_API_KEY: 'key-r-12345',
  GOOGLE_API_KEY: 'key-g-12345',
  OLLAMA_HOST: 'localhost',
  CODEX_HOME: '/codex',
  CLAUDE_CONFIG_DIR: '/claude',
}

test('default variables are passed on, all others are not', () => {
  const from = {
    ...usual,
    AWS_SECRET_ACCESS_KEY: 'x',
    DATABASE_URL: 'x',
    NPM_TOKEN: 'x',
    PATHOLOGICAL: 'x',
    UNSET: undefined,
  }
  expect(buildEnvironment(from, { allow: [], add: {} })).toEqual(usual)
})

test('names and prefixes may be allowed, values added', () => {
  const from = { MY_ONE: '1', MY_TWO: '2', OTHER: '3', NOT: '4' }
  const built = buildEnvironment(from, { allow: ['MY_*', 'OTHER'], add: { MORE: '5', OTHER: '6' } })
  expect(built).toEqual({ MY_ONE: '1', MY_TWO: '2', OTHER: '6', MORE: '5' })
})

test('variables of an outer agent pass by no prefix, only by their full name', () => {
  const from = {
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_OAUTH_TOKEN: 't',
    CODEX_SANDBOX: 's',
    PAWL_SCOPE: 'p',
  }
  expect(buildEnvironment(from, { allow: ['CLAUDE*', 'CODEX_*', 'PAWL_*', '*'], add: {} })).toEqual({})
  const allow = ['CLAUDE_CODE_OAUTH_TOKEN']
  expect(buildEnvironment(from, { allow, add: {} })).toEqual({ CLAUDE_CODE_OAUTH_TOKEN: 't' })
})

test('secrets are known by their names and must be 8 characters long', () => {
  const env = {
    OPENAI_API_KEY: 'key-12345',
    GH_TOKEN: 'token-123',
    my_secret: 'secret-12',
    DB_PASSWORD: 'password-1',
    SHORT_KEY: '1234567',
    PATH: '/usr/bin:/bin',
    SAME_TOKEN: 'token-123',
  }
  expect(findSecretValues(env)).toEqual(['key-12345', 'token-123', 'secret-12', 'password-1'])
})
