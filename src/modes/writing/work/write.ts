import type { Outcome } from '../../../contract/event.ts'
import type { View } from '../../../kernel/policy.ts'
import type { Attempt } from '../../../kernel/run.ts'
import type { WritingMemo } from '../core/memo.ts'
import { fitDocuments } from '../core/reply/documents.ts'
import { formatJsonFile, jsonFileSchema, readJsonFile } from '../core/reply/json-file.ts'
import { checkStructure } from '../core/reply/structure.ts'
import { ask, askForObject, NoAnswerError } from './call.ts'
import { currentTexts, fitOptions, type Made, sourceDocuments, toDraft } from './draft.ts'
import { generate } from './generate.ts'
import { commonValues, contextTokens, readFeedback, renderPrompt } from './prompts.ts'
import { revise } from './revise.ts'
import type { WritingTools } from './tools.ts'

type MemoView = View<WritingMemo>

/** One attempt: decides which files to write, writes them, and checks their structure. Files that are not written stay as they are. */
export async function writeDraft(
  a: Attempt,
  view: MemoView,
  tools: WritingTools,
  signal: AbortSignal,
): Promise<Outcome> {
  const { request } = tools
  const { draft, raw } =
    request.kind === 'analyze'
      ? await writeReport(a, tools, signal)
      : tools.level.format === 'json'
        ? await writeJson(a, view, tools, signal)
        : request.kind === 'generate'
          ? await generate(a, view, tools, signal)
          : await revise(a, view, tools, signal)
  tools.debug(`attempt_${view.memo.attempts + 1}_raw.md`, raw.join('\n\n'))
  const output = await tools.content.put('draft.json', JSON.stringify(draft))
  const texts = Object.entries(draft.files)
  const known = new Set(tools.base.files.map(({ path }) => path))
  const count = (test: (path: string, text: string | null) => boolean): number =>
    texts.filter(([path, text]) => test(path, text)).length
  return {
    status: 'ok',
    output,
    data: {
      changed: count((path, text) => text !== null && known.has(path)),
      added: count((path, text) => text !== null && !known.has(path)),
      removed: count((_path, text) => text === null),
      problems: draft.problems.length,
    },
  }
}

/** The whole content of a JSON level, by its schema. */
async function writeJson(a: Attempt, view: MemoView, tools: WritingTools, signal: AbortSignal): Promise<Made> {
  const { level, base, request } = tools
  const said = await readFeedback(view, tools)
  const name = level.file!
  const before = currentTexts(tools).get(name)
  const isNew = request.kind === 'generate'
  const json = level.fields.map((field) => `"${field.name}" (${field.says})`).join('; ')
  const values = {
    ...commonValues(tools),
    ...said,
    json,
    sources: isNew ? sourceDocuments(tools) : [],
    files: [{ name, text: before ?? '' }],
    others: [],
    written: [],
    must: [{ name, task: '' }],
    may: [],
    rules: level.rules,
    wanted: [],
    problems: said.open,
  }
  const prompt = renderPrompt(isNew ? 'generate' : 'write', values, tools)
  const step = { ...prompt, key: 'write', via: request.writer, role: 'write', temperature: level.temperature } as const
  const read = await askForObject(a, { ...step, file: name }, jsonFileSchema(level), tools, signal)
  if (!('value' in read)) throw new NoAnswerError({ status: 'failed', detail: `${name}: ${read.unreadable}` })
  const after = formatJsonFile(level, read.value, { before: readJsonFile(before), project: base.project })
  const files = [{ name, before, after }]
  return {
    draft: toDraft(tools, files, [], [], checkStructure(level, files, said)),
    raw: [JSON.stringify(read.value)],
  }
}

/** A report about the work. */
async function writeReport(a: Attempt, tools: WritingTools, signal: AbortSignal): Promise<Made> {
  const { base, brief, request, level } = tools
  const name = `${brief.analysis!.name}.md`
  const documents = base.context.flatMap(({ files }) => files.map(({ path, text }) => ({ name: path, text })))
  const fitted = fitDocuments(documents, { ...fitOptions(tools), tokens: Math.floor(contextTokens(tools) * 0.7) })
  const { open, close } = { open: '<report>', close: '</report>' }
  const values = { ...commonValues(tools), context: [], files: fitted.documents, outlined: fitted.isShortened }
  const prompt = renderPrompt('analyze', { ...values, asks: brief.analysis!.asks, open, close }, tools)
  const step = { key: 'write', via: request.writer, role: 'analyze', temperature: level.temperature } as const
  const answer = await ask(a, { ...prompt, ...step, file: name }, tools, signal)
  const from = answer.text.indexOf(open)
  const to = answer.text.lastIndexOf(close)
  const text = answer.text.slice(from < 0 ? 0 : from + open.length, to < 0 ? undefined : to).trim()
  const files = [{ name, before: undefined, after: `${text}\n` }]
  return { draft: toDraft(tools, files, [], [], []), raw: [answer.text] }
}
