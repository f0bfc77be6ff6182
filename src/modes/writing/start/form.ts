import { existsSync } from 'node:fs'
import type { Machine } from '../../../run/machine.ts'
import type { StartForm } from '../../../run/mode.ts'
import { listFiles, listProjects } from '../project/project.ts'
import { openFor } from './open.ts'
import type { IterationOptions } from './options.ts'

/** The form for an iteration on a page. It offers the projects in folders that had one before, and in the server's own. */
export const iterationForm: StartForm<IterationOptions> = {
  async describe(machine, folders) {
    const studios = [...new Set([...folders, machine.environment.cwd])].filter((studio) => existsSync(studio))
    const options = studios.flatMap((studio) => listTargets(machine, studio))
    if (options.length === 0) return undefined
    return {
      title: 'Revise written work',
      says: 'A model revises one level of a project, another one judges it, and you accept the changes one by one.',
      button: 'Start the iteration',
      fields: [
        { name: 'target', label: 'Level', kind: 'choice', options, required: true },
        {
          name: 'feedback',
          label: 'Feedback',
          kind: 'text',
          hint: 'What should change, in your own words',
          required: true,
        },
        {
          name: 'cull',
          label: 'What was made from this level',
          kind: 'choice',
          options: [
            { value: 'keep-all', label: 'Keep it. It becomes stale' },
            { value: 'cull-all', label: 'Delete it with the commit' },
          ],
          required: true,
        },
      ],
    }
  },
  read({ target, feedback, cull }) {
    const [studio, project, level] = JSON.parse(target!) as [string, string, string]
    return {
      options: {
        kind: 'iterate',
        studio,
        project,
        target: level,
        feedback: feedback!,
        cull: cull as 'keep-all' | 'cull-all',
        view: 'full',
      },
      workspace: studio,
    }
  },
}

/** Levels that have texts, by project. A project that cannot be read is left out. */
function listTargets(machine: Machine, studio: string) {
  const { home } = machine.environment
  const shown = studio.startsWith(`${home}/`) ? `~${studio.slice(home.length)}` : studio
  return readQuietly(() => listProjects(studio)).flatMap((project) =>
    readQuietly(() => {
      const open = openFor(machine, { studio, project })
      return open.loaded.type.levels
        .filter((level) => listFiles(open, level).length > 0)
        .map(({ id, title }) => ({
          value: JSON.stringify([studio, project, id]),
          label: title,
          group: `${open.name}, in ${shown}`,
        }))
    }),
  )
}

function readQuietly<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read()
  } catch {
    return []
  }
}
