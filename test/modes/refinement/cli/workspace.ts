import * as fs from 'node:fs'
import { join } from 'node:path'
import { newWorkspace } from '../../../surfaces/cli/pawl.ts'
import { type Play, stage } from './stage.ts'

/** A workspace whose person has a ladder of three models, all of them on one stage, and the built program. */
export async function refineWorkspace(
  play: Play,
  env: Record<string, string> = {},
  config = 'ladder: [ollama, grok, claude]\n',
) {
  const staged = await stage(play)
  const workspace = newWorkspace({ env: { ...staged.env, ...env } })
  fs.mkdirSync(join(workspace.root, '.config', 'pawl'), { recursive: true })
  fs.writeFileSync(join(workspace.root, '.config', 'pawl', 'config.yml'), config)
  const put = (name: string, text: string): void => fs.writeFileSync(join(workspace.workspace, name), text)
  const read = (name: string): string => fs.readFileSync(join(workspace.workspace, name), 'utf8')
  return { ...workspace, staged, put, read, refine: (...words: string[]) => workspace.start('refine', ...words) }
}
