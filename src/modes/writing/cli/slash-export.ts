import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { formatCount } from '../../../show/format.ts'
import { exportsFolder } from '../contract/project.ts'
import { findLevel, formatFileLabel } from '../core/level/levels.ts'
import { exportDocx } from '../export/docx.ts'
import { exportMarkdown } from '../export/markdown.ts'
import { type ExportedWork, toDocument } from '../export/work.ts'
import { type OpenProject, projectFile, readFiles, readFrontMatter } from '../project/project.ts'
import { notFound } from '../start/target.ts'
import { askChoice } from './ask-choice.ts'
import { requireProject } from './iterate.ts'
import type { WritingCommand } from './slash-command.ts'
import type { Session } from './state.ts'

export const exportWork: WritingCommand = {
  name: 'export',
  usage: 'md|docx [file]',
  says: 'write the work as one document',
  args: () => ['md', 'docx'],
  run: async (session, { words, rest }) => {
    const found = requireProject(session)
    const [format = 'md'] = words
    if (format !== 'md' && format !== 'docx') throw new PawlError(2, `cannot export ${format}`, 'Formats: md, docx')
    const { work, files } = gatherWork(found)
    // A path may contain spaces.
    const given = rest
      .slice(rest.indexOf(format) + format.length)
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
    const path = given ? resolve(session.studio, given) : join(found.folder, exportsFolder, `${found.name}.${format}`)
    if (given && !(await mayWrite(session, path))) return
    mkdirSync(dirname(path), { recursive: true })
    // An export can be made again, so it belongs into no commit.
    const ignored = join(path, '..', '.gitignore')
    if (!given && !existsSync(ignored)) writeFileSync(ignored, '*\n')
    writeFileSync(path, format === 'md' ? exportMarkdown(work) : await exportDocx(work))
    session.page.line(`✓ Exported ${formatCount(files, 'file')} to ${path}`)
    if (found.project.title === undefined && work.title === found.name)
      session.page.line(`To give it a title and an author: title and author in ${join(found.folder, projectFile)}`)
  },
}

/** A file of the person is overwritten only if they say so. */
async function mayWrite(session: Session, path: string): Promise<boolean> {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw new PawlError(30, `${path} is a folder`, 'Name a file: /export md book.md')
  const isInside = path.startsWith(`${session.studio}${sep}`)
  if (!isInside && !existsSync(dirname(path))) throw new PawlError(30, `there is no folder ${dirname(path)}`)
  if (!found) return true
  return (await askChoice(session, `${path} exists. Overwrite it? (yes/no)`, ['yes', 'no'])) === 'yes'
}

/** The levels that the type exports: a series as a book, single texts one after the other. */
function gatherWork(found: OpenProject): { readonly work: ExportedWork; readonly files: number } {
  const { type } = found.loaded
  const levels = type.exports.map((id) => findLevel(type, id)!)
  const { title = found.name, author } = found.project
  const files = levels.map((level) => ({ level, texts: readFiles(found, level) }))
  const existing = files.filter(({ texts }) => texts.length > 0)
  if (existing.length === 0) throw notFound(levels.at(-1)!)
  const [only] = existing
  const count = existing.reduce((sum, { texts }) => sum + texts.length, 0)
  if (existing.length === 1 && !only!.level.series)
    return { work: toDocument(title, author, only!.texts[0]!.text), files: count }
  const parts = existing.flatMap(({ level, texts }) =>
    texts.map(({ path, text }) => ({ label: formatFileLabel(level, basename(path)), text })),
  )
  const layout = levels.some(({ series }) => series) ? ('book' as const) : ('document' as const)
  const [front] = levels.flatMap((level) => readFrontMatter(found, level))
  if (!front) return { work: { title, author, layout, parts }, files: count }
  const before = toDocument(title, author, front.text)
  return { work: { ...before, layout, parts: [...before.parts, ...parts] }, files: count + 1 }
}
