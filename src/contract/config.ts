import { z } from 'zod'
import { RungSetting } from './models.ts'

// The message of every check is the phrase that stands after "allowed:" when a value is refused.

const wholeNumber = (least: number, allowed: string) => z.int(allowed).min(least, allowed)

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const durationPattern = /^([0-9]{1,12}(?:\.[0-9]{1,6})?)(ms|s|m|h|d)?$/
// Node's timers overflow past this and fire at once.
const longestMs = 2_147_483_647

/** Written as `90s`, `30m`, `3h` or a number of seconds; read as milliseconds. */
const duration = (leastMs: number, allowed: string) =>
  z
    .union([z.number(allowed).nonnegative(allowed), z.string(allowed).regex(durationPattern, allowed)], allowed)
    .transform((written) => {
      const [, amount, unit] = durationPattern.exec(String(written)) ?? [null, written, 's']
      return Math.round(Number(amount) * unitMs[(unit ?? 's') as keyof typeof unitMs])
    })
    .refine((ms) => ms >= leastMs && ms <= longestMs, allowed)

const bound = duration(1, 'a duration such as 90s, 30m or 3h, or a number of seconds, more than 0 and at most 24d')
const waitBound = duration(0, 'a duration such as 90s, 30m or 3h, or a number of seconds, 0 for never, at most 24d')

const text = (allowed: string) =>
  z
    .string(allowed)
    .min(1, allowed)
    .max(32_768, allowed)
    .refine((value) => value.trim() !== '' && !value.includes('\0'), allowed)
const listOf = <Item extends z.ZodType>(item: Item, allowed: string) => z.array(item, allowed)
const command = text('a command: text of 1 to 32768 characters, not blank, without NUL')
const prose = text('text or a file name: 1 to 32768 characters, not blank, without NUL')
const prompt = z
  .union(
    [prose, listOf(prose, 'a list of texts or file names')],
    'a text, a file name ending in .md or .txt, or a list',
  )
  .transform((written) => (typeof written === 'string' ? [written] : written))
const agentName = 'an agent name such as claude, or acp:<command>'
const modelName = 'a model name'
const variable = 'a variable name such as API_TOKEN'
const variableOrPrefix = 'a variable name, or a prefix that ends in *, such as NPM_*'

const webhook = 'an address that begins with https://, or with http:// on this very machine'
const thisMachine = ['localhost', '127.0.0.1', '[::1]']

function isWebhook(text: string): boolean {
  const url = URL.parse(text)
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && thisMachine.includes(url.hostname))
  return safe && url.username === '' && url.password === ''
}

const bounds = {
  default_iterations: wholeNumber(0, 'a whole number, 0 for unlimited').describe(
    'How many iterations a run makes at most; 0 = unlimited. Default 0.',
  ),
  failure_threshold: wholeNumber(1, 'a whole number, 1 or more').describe(
    'How many failures in a row end the run. Default 3.',
  ),
  max_time: bound.describe('Active time after which a run ends, such as 3h. Waiting does not count.'),
  max_cost: z
    .number('a number of US dollars, more than 0')
    .positive('a number of US dollars, more than 0')
    .describe('US dollars after which a run ends.'),
  max_tokens: wholeNumber(1, 'a whole number, 1 or more').describe('Tokens after which a run ends.'),
  attempt_timeout: bound.describe('Time after which one attempt is ended.'),
  silence_timeout: bound.describe('Time without any output after which one attempt is ended.'),
  max_wait: waitBound.describe('Time a run may spend waiting for rate limits and people; 0 = never wait.'),
  durability: z
    .enum(['strict', 'best-effort'], 'strict or best-effort')
    .describe('strict: no attempt starts before the journal is on disk. best-effort: the loop goes on without it.'),
}

const work = {
  ai_cmd: command.describe('The command that starts the agent; it gets the prompt on standard input.'),
  agent: z
    .string(agentName)
    .regex(/^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63}|acp:[^\0\r\n]{1,1000})$/, agentName)
    .describe('The name of a known agent: claude, codex, opencode, scripted; or acp:<command>.'),
  model: z
    .string(modelName)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/, modelName)
    .describe('The model that an agent known by name is told to use.'),
  agent_script: prose.describe("Path of the scripted agent's YAML file."),
  gates: listOf(command, 'a list of commands').describe('Commands that must all exit with 0 after an iteration.'),
  context: listOf(prose, 'a list of texts or file names').describe('Files or texts put before the prompt.'),
}

const phase = (name: string) =>
  prompt.describe(`What ${name} asks for. One line ending in .md or .txt is a file; anything else is the text itself.`)

const procedureShape = {
  observe: phase('OBSERVE'),
  orient: phase('ORIENT'),
  decide: phase('DECIDE'),
  act: phase('ACT'),
  until: z
    .enum(['never', 'gates', 'promise+gates'], 'never, gates or promise+gates')
    .describe("What ends the loop early: nothing, green gates, or the agent's promise together with green gates."),
  stuck: z
    .enum(['stop', 'off'], 'stop or off')
    .describe('stop: end a run whose iterations change nothing, fail alike or go back and forth. off: let it go on.'),
  ...work,
  ...bounds,
}

const workspaceShape = {
  ...bounds,
  ...work,
  token_budget: wholeNumber(1, 'a whole number, 1 or more').describe(
    'Estimated prompt size in tokens above which a warning is shown. Default 100000.',
  ),
  sandbox: z
    .enum(['auto', 'required', 'off'], 'auto, required or off')
    .describe('auto: use what works. required: refuse to run without one. off: none. Default auto.'),
  env: listOf(
    z.string(variableOrPrefix).regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}\*?$/, variableOrPrefix),
    'a list of variable names',
  ).describe('Variables, or prefixes with a trailing *, that agents and gates may see.'),
  secrets: listOf(
    z.string(variable).regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, variable),
    'a list of variable names',
  ).describe('Variables whose values are masked wherever output is stored or shown. Tiers add to each other.'),
  notify: command.describe(
    'A command that is run when a run is done, has failed, needs you, begins a long wait, or has used 80 % of a bound.',
  ),
  notify_webhook: z
    .string(webhook)
    .max(2048, webhook)
    .refine(isWebhook, webhook)
    .describe("Where the same is posted as JSON. A repository's file may not set it."),
  ladder: z
    .array(RungSetting, 'a list of models, weakest first')
    .min(1, 'a list of models, weakest first')
    .max(12, 'at most 12 models')
    .describe("Models that refine may ask, weakest first. Default [ollama]. A repository's file may not set it."),
  judge: z
    .string(modelName)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/, modelName)
    .describe(
      "Which model of the ladder judges. Default: the first that stays on this machine. A repository's file may not set it.",
    ),
  bell: z.boolean('true or false').describe('Whether the terminal rings then. Default true.'),
}

const procedureName = 'a name of a-z, 0-9 and -, at most 64 characters, not beginning with -'
export const ProcedureName = z.string(procedureName).regex(/^[a-z0-9][a-z0-9-]{0,63}$/, procedureName)

export const Procedure = z.strictObject(procedureShape, 'a map of keys').partial()
export type Procedure = z.infer<typeof Procedure>

/**
 * `.pawl/config.yml` and the user's `config.yml`. Endpoints of models and keys are left out on purpose: no file may set
 * them. The one address there is, of a webhook, is refused in a repository's file.
 */
export const Config = z
  .strictObject(
    {
      $schema: z.string('the address of this schema').describe('Where editors find this schema; ignored by Pawl.'),
      ...workspaceShape,
      procedures: z
        .record(ProcedureName, Procedure, 'a map of procedure names')
        .describe('Procedures by name; their keys win over those of the same name outside.'),
    },
    'a map of keys',
  )
  .partial()
export type Config = z.infer<typeof Config>

/** Every key that can be set, wherever it may stand. */
export const settingShape = { ...workspaceShape, ...procedureShape }
export type SettingKey = keyof typeof settingShape
export type SettingValues = { [Key in SettingKey]: z.infer<(typeof settingShape)[Key]> }
export const settingKeys = Object.keys(settingShape) as readonly SettingKey[]
export const procedureKeys = Object.keys(procedureShape) as readonly (keyof typeof procedureShape)[]

/** A prompt entry names a file when it is one line that ends in .md or .txt; otherwise it is the text itself. */
export const isPromptFile = (entry: string): boolean => !/[\r\n]/.test(entry) && /\.(?:md|txt)$/.test(entry)
