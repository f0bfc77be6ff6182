import { listCommandSpecs } from '../../src/surfaces/cli/table.ts'
import { modes } from './runs.ts'

/** Every command of the program, as help lists them. */
export const commands = listCommandSpecs(modes)
