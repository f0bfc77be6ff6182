import { z } from 'zod'
import { RungSetting } from '../models.ts'
import { duration, listSetting, prose, type SettingRules, setting, text, wholeNumber } from './setting.ts'

const bound = duration(1, 'a duration such as 90s, 30m or 3h, or a number of seconds, more than 0 and at most 24d')
const waitBound = duration(0, 'a duration such as 90s, 30m or 3h, or a number of seconds, 0 for never, at most 24d')
export const command = text('a command: text of 1 to 32768 characters, not blank, without NUL')
const agentName = 'an agent name such as claude, or acp:<command>'
const modelName = 'a model name'
const variable = 'a variable name such as API_TOKEN'
const variableOrPrefix = 'a variable name, or a prefix that ends in *, such as NPM_*'

const webhook = 'an https:// address, or an http:// address on this machine, without a user name or password'
const thisMachine = ['localhost', '127.0.0.1', '[::1]']

function isWebhook(text: string): boolean {
  const url = URL.parse(text)
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && thisMachine.includes(url.hostname))
  return safe && url.username === '' && url.password === ''
}

/** Limits of any run. */
export const boundRules = {
  default_iterations: setting(
    'number',
    wholeNumber(0, 'a whole number, 0 for unlimited').describe(
      'Maximum number of iterations of a run; 0 = unlimited. Default 0.',
    ),
    { builtIn: () => 0 },
  ),
  failure_threshold: setting(
    'number',
    wholeNumber(1, 'a whole number, 1 or more').describe('Number of failures in a row that ends a run. Default 3.'),
    { builtIn: () => 3 },
  ),
  max_time: setting('text', bound.describe('Maximum active time of a run, such as 3h. Waiting does not count.')),
  max_cost: setting(
    'amount',
    z
      .number('a number of US dollars, more than 0')
      .positive('a number of US dollars, more than 0')
      .describe('Maximum cost of a run in US dollars.'),
  ),
  max_tokens: setting(
    'number',
    wholeNumber(1, 'a whole number, 1 or more').describe('Maximum number of tokens of a run.'),
  ),
  attempt_timeout: setting('text', bound.describe('Timeout of one attempt.')),
  silence_timeout: setting('text', bound.describe('Timeout of one attempt that prints nothing.')),
  max_wait: setting(
    'text',
    waitBound.describe('Maximum time a run waits for usage limits and providers; 0 = never wait. Default 6h.'),
    // Usage limits of a subscription reset within hours.
    { builtIn: () => 6 * 3_600_000 },
  ),
  durability: setting(
    'text',
    z
      .enum(['strict', 'best-effort'], 'strict or best-effort')
      .describe(
        'strict: no attempt starts before the journal is on disk; a run that cannot be saved stops and can be resumed. best-effort: the loop continues without a record and cannot be resumed.',
      ),
    // Seed 002 requires the loop of `rooda` to continue when its state cannot be written.
    { builtIn: ({ program, procedure }) => (program === 'rooda' && procedure !== null ? 'best-effort' : 'strict') },
  ),
} satisfies SettingRules

/** The agent, its context and the gates that check its work. */
export const workRules = {
  ai_cmd: setting(
    'text',
    command.describe('The command that starts the agent. The agent reads the prompt from standard input.'),
    { needsTrust: true },
  ),
  agent: setting(
    'text',
    z
      .string(agentName)
      .regex(/^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63}|acp:[^\0\r\n]{1,1000})$/, agentName)
      .describe('The name of a known agent: claude, codex, opencode, scripted; or acp:<command>.'),
    { needsTrust: true },
  ),
  model: setting(
    'text',
    z
      .string(modelName)
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/, modelName)
      .describe('The model for an agent that is chosen by name.'),
  ),
  agent_script: setting('text', prose.describe("Path of the scripted agent's YAML file."), { needsTrust: true }),
  gates: setting(
    'list',
    listSetting(command, 'a list of commands').describe('Commands that must all exit with 0 after an iteration.'),
    { needsTrust: true, builtIn: () => [] },
  ),
  context: setting(
    'list',
    listSetting(prose, 'a list of texts or file names').describe('Files or texts put before the prompt.'),
    { builtIn: () => [] },
  ),
} satisfies SettingRules

const ownConfigOnly = 'Remove it there; if you want it, set it in your own config.yml.'

/** Keys for the workspace, not for a single procedure. */
export const workspaceRules = {
  sandbox: setting(
    'text',
    z
      .enum(['auto', 'required', 'off'], 'auto, required or off')
      .describe('auto: use a sandbox if there is one. required: refuse to run without one. off: none. Default auto.'),
    { only: 'workspace', builtIn: () => 'auto' as const },
  ),
  env: setting(
    'list',
    listSetting(
      z.string(variableOrPrefix).regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}\*?$/, variableOrPrefix),
      'a list of variable names',
    ).describe('Variables, or prefixes with a trailing *, that are passed to agents and gates.'),
    { only: 'workspace', needsTrust: true, builtIn: () => [] },
  ),
  secrets: setting(
    'list',
    listSetting(
      z.string(variable).regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, variable),
      'a list of variable names',
    ).describe('Variables whose values are masked in stored and shown output. Tiers add to each other.'),
    { only: 'workspace', builtIn: () => [] },
  ),
  notify: setting(
    'text',
    command.describe(
      'Command to run when a run is done, has failed, needs you, starts a long wait, or has used 80 % of a limit.',
    ),
    { only: 'workspace', needsTrust: true },
  ),
  notify_webhook: setting(
    'text',
    z
      .string(webhook)
      .max(2048, webhook)
      .refine(isWebhook, webhook)
      .describe("Address that the same notifications are posted to, as JSON. A repository's file may not set it."),
    {
      only: 'workspace',
      userOnly: {
        what: 'a repository cannot set where your notifications are sent',
        found: 'an address',
        next: 'Remove it there; if you want it, set it in your own config.yml or in PAWL_NOTIFY_WEBHOOK.',
      },
    },
  ),
  ladder: setting(
    'list',
    z
      .array(RungSetting, 'a list of models, weakest first')
      .min(1, 'a list of models, weakest first')
      .max(12, 'at most 12 models')
      .describe("Models that refine may use, weakest first. Default [ollama]. A repository's file may not set it."),
    {
      only: 'workspace',
      // Texts stay on this machine unless the user decides otherwise.
      builtIn: () => ['ollama'],
      userOnly: {
        what: 'a repository cannot set which models your texts are sent to',
        found: 'models',
        next: ownConfigOnly,
      },
    },
  ),
  judge: setting(
    'text',
    z
      .string(modelName)
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,127}$/, modelName)
      .describe(
        "The model of the ladder that judges. Default: the first local model. A repository's file may not set it.",
      ),
    {
      only: 'workspace',
      userOnly: {
        what: 'a repository cannot set which model judges your texts',
        found: 'a model',
        next: ownConfigOnly,
      },
    },
  ),
  bell: setting(
    'switch',
    z.boolean('true or false').describe('Whether the terminal bell rings for notifications. Default true.'),
    {
      only: 'workspace',
      builtIn: () => true,
    },
  ),
} satisfies SettingRules

/** The keys shared by all modes. */
export const sharedRules = { ...boundRules, ...workRules, ...workspaceRules }
export type SharedRules = typeof sharedRules
