import { listSetting, prose, type SettingRules, setting } from '../../../contract/config/setting.ts'
import { command } from '../../../contract/config/shared.ts'

const commands = (says: string) =>
  setting('list', listSetting(command, 'a list of commands').describe(says), {
    only: 'workspace',
    needsTrust: true,
  })

/** Config keys of this mode: how a story is verified beside its gates. */
export const deliverySettings = {
  setup: commands(
    'Installs dependencies in the clean room, if a story changes a manifest or lock file. Found by itself for common lock files; [] for none.',
  ),
  prepare: commands('Runs before the commands of a story, each time: generates code or builds what the tests import.'),
  reset: commands('Runs first, each time: clears state outside the repository, such as a database.'),
  format: commands('Formats the work of a story in the clean room, before it is verified.'),
  results: setting(
    'text',
    prose.describe(
      'Where results of single tests are: tap, go-json, pytest, cargo, spec, junit or json in the output, or a file that the command writes. Then a story may leave tests of other stories red.',
    ),
    { only: 'workspace' },
  ),
  test_files: setting(
    'list',
    listSetting(prose, 'a list of globs').describe('Globs of further files that are tests, such as checks/**/*.js.'),
    { only: 'workspace' },
  ),
} satisfies SettingRules
