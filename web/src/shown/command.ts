import type { Action } from '../../../src/contract/show.ts'
import { formatAction } from '../../../src/show/action.ts'

const program = 'pawl'

/** The command line of an action. `run` is the run being shown, for actions that name none. */
export const formatCommand = (action: Action, run: string): string =>
  action.do === 'command'
    ? formatAction(action, program).map(quote).join(' ')
    : formatAction({ ...action, run: action.run ?? run }, program).join(' ')

const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
