import { z } from 'zod'
import { listSetting, prose, type SettingRules, setting, wholeNumber } from '../../../contract/config/setting.ts'

const prompt = z
  .union([prose, listSetting(prose, 'a list of texts or file names')], 'a text, a file name, or a list of them')
  .transform((written) => (typeof written === 'string' ? [written] : written))

const phase = (name: string) =>
  setting(
    'text',
    prompt.describe(
      `The prompt of ${name}. A file, if there is one of this name or the value is one word with a slash or ending in .md or .txt; anything else is the text itself.`,
    ),
    { only: 'procedures' },
  )

/** Config keys of this mode. */
export const procedureSettings = {
  token_budget: setting(
    'number',
    wholeNumber(1, 'a whole number, 1 or more').describe(
      'Estimated prompt size in tokens above which a warning is shown. Default 100000.',
    ),
    { only: 'workspace', builtIn: () => 100_000 },
  ),
  observe: phase('OBSERVE'),
  orient: phase('ORIENT'),
  decide: phase('DECIDE'),
  act: phase('ACT'),
  until: setting(
    'text',
    z
      .enum(['never', 'gates', 'promise+gates'], 'never, gates or promise+gates')
      .describe("What ends the loop early: nothing, green gates, or the agent's promise together with green gates."),
    { only: 'procedures', builtIn: ({ program }) => (program === 'rooda' ? 'never' : 'promise+gates') },
  ),
  verify: setting(
    'text',
    z
      .enum(['work-tree', 'clean-room'], 'work-tree or clean-room')
      .describe(
        'Where gates run: in the work tree, or in a clean room, a copy from before the first agent with the files that git would commit.',
      ),
    { only: 'procedures', builtIn: () => 'work-tree' as const },
  ),
  stuck: setting(
    'text',
    z
      .enum(['stop', 'off'], 'stop or off')
      .describe(
        'stop: end a run whose iterations change nothing, repeat the same failure or alternate. off: keep going.',
      ),
    { only: 'procedures', builtIn: ({ program }) => (program === 'rooda' ? 'off' : 'stop') },
  ),
} satisfies SettingRules
