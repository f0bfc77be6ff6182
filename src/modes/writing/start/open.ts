import { join } from 'node:path'
import type { Machine } from '../../../run/machine.ts'
import { type OpenProject, openProject, typeFolders } from '../project/project.ts'
import type { IterationOptions } from './options.ts'

export const openFor = (
  machine: Machine,
  { studio, project }: Pick<IterationOptions, 'studio' | 'project'>,
): OpenProject =>
  openProject(studio, project, { files: machine.files, folders: typeFolders(studio, configFolder(machine)) })

/** The folder of the person's own config, where own project types may lie. */
export const configFolder = ({ environment: { env, home } }: Machine): string =>
  join(env.XDG_CONFIG_HOME || join(home, '.config'), 'pawl')
