import { z } from 'zod'
import { PawlError } from '../../../contract/exit.ts'
import { type PresetName, presetNames } from '../contract/config.ts'

const text = z.string().optional()
/** A number or its text, parsed like a flag. */
const figure = z.union([z.string(), z.number().transform(String)]).optional()

/** Options of `refine`, named like its flags. Relative paths start at `cwd`. */
export const RefineOptions = z
  .object({
    /** A file, a task in words, or - for a text on standard input. */
    what: z.string(),
    cwd: z.string(),
    readStdin: z.custom<() => Promise<Buffer>>((value) => typeof value === 'function').optional(),
    goal: text,
    context: z.array(z.string()).readonly().default([]),
    rubric: z.string().default('general'),
    out: text,
    write: z.boolean().default(false),
    model: text,
    judge: text,
    localOnly: z.boolean().default(false),
    preset: text,
    adaptive: z.boolean().default(false),
    calibrate: z.boolean().default(true),
    maxIterations: figure,
    maxTime: figure,
    maxCost: figure,
    maxTokens: figure,
  })
  .readonly()
export type RefineOptions = z.infer<typeof RefineOptions>

export function choosePreset({ preset, adaptive }: Pick<RefineOptions, 'preset' | 'adaptive'>): PresetName {
  if (preset === undefined) return adaptive ? 'sap-0010' : 'standard'
  if (adaptive && preset !== 'sap-0010')
    throw new PawlError(2, '--adaptive means --preset sap-0010: give only one of them')
  const known = presetNames.find((name) => name === preset)
  if (known) return known
  throw new PawlError(2, `unknown preset ${preset}`, `Presets: ${presetNames.join(', ')}`)
}
