import { z } from 'zod'
import { RungSetting } from '../models.ts'
import { duration, listSetting, prose, type SettingRules, setting, text, wholeNumber } from './setting.ts'

const bound = duration(1, 'a duration such as 90s, 30m or 3h, or a number of seconds, more than 0 and at most 24d')
const waitBound = duration(0, 'a duration such as 90s, 30m or 3h, or a number of seconds, 0 for never, at most 24d')
const command = text('a command: text of 1 to 32768 characters, not blank, without NUL')
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

/** Bounds of any run. */
export const boundRules = {
  default_iterations: setting(
    'number',
    wholeNumber(0, 'a whole number, 0 for unlimited').describe(
      'How many iterations a run makes at most; 0 = unlimited. Default 0.',
    ),
    { builtIn: () => 0 },
  ),
  failure_threshold: setting(
    'number',
    wholeNumber(1, 'a whole number, 1 or more').describe('How many failures in a row end the run. Default 3.'),
    { builtIn: () => 3 },
  ),
  max_time: setting('text', bound.describe('Active time after which a run ends, such as 3h. Waiting does not count.')),
  max_cost: setting(
    'amount',
    z
      .number('a number of US dollars, more than 0')
      .positive('a number of US dollars, more than 0')
      .describe('US dollars after which a run ends.'),
  ),
  max_tokens: setting('number', wholeNumber(1, 'a whole number, 1 or more').describe('Tokens after which a run ends.')),
  attempt_timeout: setting('text', bound.describe('Time after which one attempt is ended.')),
  silence_timeout: setting('text', bound.describe('Time without any output after which one attempt is ended.')),
  max_wait: setting(
    'text',
    waitBound.describe('Time a run may spend waiting for rate limits and people; 0 = never wait.'),
    // Limits of a subscription pass within hours; whoever wants to wait longer says so.
    { builtIn: () => 6 * 3_600_000 },
  ),
  durability: setting(
    'text',
    z
      .enum(['strict', 'best-effort'], 'strict or best-effort')
      .describe('strict: no attempt starts before the journal is on disk. best-effort: the loop goes on without it.'),
    // Seed 002 wants the loop of a procedure to go on when its state cannot be written.
    { builtIn: ({ procedure }) => (procedure === null ? 'strict' : 'best-effort') },
  ),
} satisfies SettingRules

/** Who works, on what, and what checks it. */
export const workRules = {
  ai_cmd: setting(
    'text',
    command.describe('The command that starts the agent; it gets the prompt on standard input.'),
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
      .describe('The model that an agent known by name is told to use.'),
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

/** Of the whole workspace, whatever runs in it. */
export const workspaceRules = {
  sandbox: setting(
    'text',
    z
      .enum(['auto', 'required', 'off'], 'auto, required or off')
      .describe('auto: use what works. required: refuse to run without one. off: none. Default auto.'),
    { only: 'workspace', builtIn: () => 'auto' as const },
  ),
  env: setting(
    'list',
    listSetting(
      z.string(variableOrPrefix).regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}\*?$/, variableOrPrefix),
      'a list of variable names',
    ).describe('Variables, or prefixes with a trailing *, that agents and gates may see.'),
    { only: 'workspace', needsTrust: true, builtIn: () => [] },
  ),
  secrets: setting(
    'list',
    listSetting(
      z.string(variable).regex(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, variable),
      'a list of variable names',
    ).describe('Variables whose values are masked wherever output is stored or shown. Tiers add to each other.'),
    { only: 'workspace', builtIn: () => [] },
  ),
  notify: setting(
    'text',
    command.describe(
      'A command that is run when a run is done, has failed, needs you, begins a long wait, or has used 80 % of a bound.',
    ),
    { only: 'workspace', needsTrust: true },
  ),
  notify_webhook: setting(
    'text',
    z
      .string(webhook)
      .max(2048, webhook)
      .refine(isWebhook, webhook)
      .describe("Where the same is posted as JSON. A repository's file may not set it."),
    {
      only: 'workspace',
      userOnly: {
        what: 'a repository cannot set where your runs report to',
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
      .describe("Models that refine may ask, weakest first. Default [ollama]. A repository's file may not set it."),
    {
      only: 'workspace',
      // What is written stays on this machine until its owner says otherwise.
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
        "Which model of the ladder judges. Default: the first that stays on this machine. A repository's file may not set it.",
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
  bell: setting('switch', z.boolean('true or false').describe('Whether the terminal rings then. Default true.'), {
    only: 'workspace',
    builtIn: () => true,
  }),
} satisfies SettingRules

/** The keys that every mode knows. */
export const sharedRules = { ...boundRules, ...workRules, ...workspaceRules }
export type SharedRules = typeof sharedRules
