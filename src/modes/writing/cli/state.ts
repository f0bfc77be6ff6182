import { randomBytes } from 'node:crypto'
import { type Machine, machineAt } from '../../../run/machine.ts'
import type { LineReader } from '../../../surfaces/repl/line-reader.ts'
import type { Invocation } from '../../../surfaces/terminal/command.ts'
import type { Level } from '../contract/project-type.ts'
import { type Preferences, writePreferences } from '../project/preferences.ts'
import { listFiles, type OpenProject } from '../project/project.ts'
import { listTargets } from '../start/target.ts'
import type { Page } from './screen.ts'

/** One sitting at the REPL. */
export type Session = {
  readonly invocation: Invocation
  /** Its workspace is the studio: runs, config and debug files are there. */
  readonly machine: Machine
  readonly page: Page
  readonly reader: LineReader
  /** The folder of the projects. */
  readonly studio: string
  /** All runs of this sitting have it. */
  readonly id: string
  open: OpenProject | undefined
  target: string | undefined
  preferences: Preferences
  /** Tokens per second of the last calls. */
  speed: number | undefined
  /** Set by `/exit`. */
  isOver: boolean
}

export const newSessionId = (): string => randomBytes(4).toString('hex')

/** Changes preferences of the open project. */
export function savePreferences(session: Session, changes: Partial<Preferences>): void {
  session.preferences = { ...session.preferences, ...changes }
  if (session.open) writePreferences(session.machine, session.open.name, session.preferences)
}

export const setTarget = (session: Session, target: string): void => {
  session.target = target
  savePreferences(session, { target })
}

/** The level that is worked out furthest, if nothing else is known. */
export const findAdvanced = (open: OpenProject): Level | undefined =>
  listTargets(open.loaded.type).findLast((level) => listFiles(open, level).length > 0)

export const studioMachine = (machine: Machine, studio: string): Machine => machineAt(machine, studio)
