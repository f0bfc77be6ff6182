import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { anthropic } from './dialects/anthropic.ts'
import { chat } from './dialects/chat.ts'
import { responses } from './dialects/responses.ts'
import type { AgentName } from './install.ts'
import type { Dialect, ToolCall } from './turn.ts'

export type Place = { readonly home: string; readonly work: string; readonly url: string }

/** One real program: the command that people use, and how it is pointed at the scripted model beside that command. */
export type RealAgent = {
  readonly dialect: Dialect
  readonly argv: readonly string[]
  prepare(place: Place): Readonly<Record<string, string>>
  write(work: string, file: string, content: string): ToolCall | readonly ToolCall[]
  shell(command: string): ToolCall | readonly ToolCall[]
}

export const realAgents: Readonly<Record<AgentName, RealAgent>> = {
  claude: {
    dialect: anthropic,
    argv: words(
      '-p --output-format stream-json --verbose --permission-mode acceptEdits --allowedTools Bash,Edit,Write',
    ),
    prepare: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    write: (work, file, content) => ({ name: 'Write', input: { file_path: join(work, file), content } }),
    shell: (command) => ({ name: 'Bash', input: { command, description: 'Run a command' } }),
  },

  codex: {
    dialect: responses,
    argv: words('exec --json --skip-git-repo-check --sandbox workspace-write -'),
    prepare({ home, url }) {
      mkdirSync(join(home, '.codex'))
      const provider = `{ name = "local", base_url = "${url}/v1", env_key = "LOCAL_KEY", wire_api = "responses" }`
      const config = ['model_provider = "local"', '[model_providers]', `local = ${provider}`]
      writeFileSync(join(home, '.codex', 'config.toml'), `${config.join('\n')}\n`)
      return { LOCAL_KEY: 'none' }
    },
    // Its current models have one tool, which runs JavaScript; all others are functions in there. Older ones had several.
    write: (_work, file, content) => {
      const patch = `*** Begin Patch\n*** Add File: ${file}\n+${content.trimEnd()}\n*** End Patch`
      return [
        { name: 'exec', input: `text(await tools.apply_patch(${JSON.stringify(patch)}))` },
        { name: 'apply_patch', input: patch },
        { name: 'shell', input: { command: ['apply_patch', patch] } },
      ]
    },
    shell: (command) => [
      { name: 'exec', input: `text(await tools.exec_command(${JSON.stringify({ cmd: command })}))` },
      { name: 'exec_command', input: { cmd: command } },
      { name: 'shell', input: { command: ['sh', '-c', command] } },
    ],
  },

  opencode: {
    dialect: chat,
    argv: words('run --format json --dangerously-skip-permissions'),
    prepare({ home, url }) {
      const models = { 'mock-1': { cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } } }
      const options = { baseURL: `${url}/v1`, apiKey: '{env:LOCAL_KEY}' }
      const provider = { local: { npm: '@ai-sdk/openai-compatible', options, models } }
      const folder = join(home, '.config', 'opencode')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'opencode.json'), JSON.stringify({ model: 'local/mock-1', provider }))
      return {
        LOCAL_KEY: 'none',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      }
    },
    write: (work, file, content) => ({ name: 'write', input: { filePath: join(work, file), content } }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'Run a command' } }),
  },
}

function words(line: string): string[] {
  return line.split(' ')
}
