import { basename } from 'node:path'
import { createCommandAgent } from '../adapters/agents/command.ts'
import { type Dialect, dialects, isAgentName } from '../adapters/agents/dialects.ts'
import { readerOf } from '../adapters/agents/readers.ts'
import { readWhole } from '../adapters/agents/whole.ts'
import { buildEnvironment } from '../contract/environment.ts'
import type { Rung } from '../contract/models.ts'
import type { Agent } from '../ports/agent.ts'
import type { Shell } from '../ports/shell.ts'

type Means = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly shell: Shell
  readonly now: () => number
  readonly silenceMs: number | undefined
}

/** More than a line of an agent's output can hold. */
const longestMessage = 4 * 1024 * 1024

/** An agent that is asked for text. One that is known goes by its name alone; any other command prints its answer. */
export function openModelAgent(rung: Rung, { env, shell, now, silenceMs }: Means): Agent {
  const dialect = dialectFor(rung)
  return createCommandAgent(shell, keepNothing, {
    name: rung.label,
    argv: modelCommand(rung),
    env: buildEnvironment(env, { allow: dialect?.env ?? [], add: dialect?.asModel.env ?? {} }),
    silenceMs,
    now,
    newReader: (dialect && readerOf(basename(rung.argv![0]))) ?? readWhole,
    longestMessage,
  })
}

/** What is started for a rung: its own command, or the known agent that it names, with its model where somebody named one. */
function modelCommand(rung: Rung): readonly [string, ...string[]] {
  const { argv = [''] as const, model } = rung
  const dialect = dialectFor(rung)
  if (!dialect || argv.length > 1) return argv
  const [, first, ...rest] = dialect.asModel.argv
  const named = model !== '' && model !== argv[0]
  return [argv[0], first!, ...(named ? [dialect.modelFlag, model] : []), ...rest]
}

/** A known agent that was told to speak otherwise than we read it is a command like any other. */
function dialectFor({ argv = [''] }: Rung): Dialect | undefined {
  const name = basename(argv[0])
  if (!isAgentName(name)) return undefined
  const dialect = dialects[name]
  const format = dialect.asModel.argv.find((word) => /^(stream-json|--json|json)$/.test(word))!
  return argv.length === 1 || argv.includes(format) ? dialect : undefined
}

const keepNothing = { adopt: async () => undefined }
