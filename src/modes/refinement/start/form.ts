import type { StartForm } from '../../../run/mode.ts'
import { formatAmount } from '../../../show/format.ts'
import { type PresetName, presetNames, presets } from '../contract/config.ts'
import type { RefineOptions } from './options.ts'

const usual: PresetName = 'standard'
const shown = [usual, ...presetNames.filter((name) => name !== usual)]

const describePreset = (name: PresetName): string =>
  `${name}: at most ${presets[name].iterations} iterations and ${formatAmount(presets[name].tokens)} tokens`

/** The form for `refine` on a page. */
export const refineForm: StartForm<RefineOptions> = {
  forWorkers: true,
  async describe({ models }) {
    const known = Object.entries(models.known).map(([value, { label }]) => ({ value, label: `${label} (${value})` }))
    return {
      title: 'Refine a text',
      says: 'A model writes it anew, another one judges it, until it is good enough or a bound is reached.',
      button: 'Start the refinement',
      fields: [
        { name: 'text', label: 'Text', kind: 'text', required: true },
        { name: 'goal', label: 'Goal', kind: 'line', hint: 'What it is for, in a sentence', required: false },
        {
          name: 'preset',
          label: 'Preset',
          kind: 'choice',
          options: shown.map((value) => ({ value, label: describePreset(value) })),
          required: false,
        },
        {
          name: 'model',
          label: 'Model',
          kind: 'choice',
          options: [{ value: '', label: 'As configured' }, ...known],
          required: false,
        },
      ],
    }
  },
  read: ({ text, ...options }, { environment: { cwd } }) => ({
    options: { what: '-', readStdin: async () => Buffer.from(text!), cwd, ...options },
    workspace: cwd,
  }),
}
