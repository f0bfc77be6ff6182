import type { Model, ModelReply, ModelRequest } from '../../../../src/ports/model.ts'

export type WriterOptions = {
  /** The server's own limit of a reply, in tokens of four letters. */
  readonly limitTokens?: number
  /** The files to change, by feedback and the documents of the prompt. */
  readonly plan?: (
    feedback: string,
    names: readonly string[],
  ) => readonly { name: string; action?: string; task?: string; ripple?: boolean }[]
  readonly revise?: (name: string, text: string, feedback: string) => string
  readonly create?: (name: string) => string
  readonly parts?: number
  readonly verdict?: (call: number) => 'approved' | 'needs_revision'
}

/** A model that does what it is told, quickly: it reads the markers and the documents of each prompt. */
export function createWriterModel(options: WriterOptions = {}): Model & { readonly calls: ModelRequest[] } {
  const { limitTokens = 100_000, parts = 3, verdict = () => 'approved' } = options
  const calls: ModelRequest[] = []
  let judged = 0
  const texts = new Map<string, string>()

  function answer({ system = '', prompt }: ModelRequest): string {
    const feedback = /<feedback>\n([\s\S]*?)\n<\/feedback>/.exec(prompt)?.[1] ?? ''
    if (system.includes('You decide which files')) return plan(prompt, feedback)
    if (system.includes('You divide a story')) {
      const list = Array.from({ length: parts }, (_, at) => ({
        title: `Part ${at + 1}`,
        summary: `It goes on, ${at + 1}.`,
      }))
      return JSON.stringify({ parts: list })
    }
    if (system.includes('strict and fair')) return judge(verdict(++judged))
    if (system.includes('tells an author')) return describe(prompt)
    if (system.includes('continue a text')) return goOn(prompt)
    return write(prompt, feedback)
  }

  function plan(prompt: string, feedback: string): string {
    const names = [...documents(prompt).keys()]
    const chosen: ReturnType<NonNullable<WriterOptions['plan']>> =
      options.plan?.(feedback, names) ?? names.map((name) => ({ name }))
    const files = chosen.map(({ name, action = 'change', task = 'do it', ripple = false }) => ({
      name,
      action,
      task,
      ripple,
    }))
    return JSON.stringify({ understanding: 'ok', files })
  }

  function write(prompt: string, feedback: string): string {
    const found = documents(prompt)
    const wanted = [
      ...prompt.matchAll(
        /^(<(answer|file)(?:-\d+)?(?: name="([^"]+)")?>)\n\((?:the complete )?(?:the )?text(?: of ([^)]+))?\)\n(<\/[^>]+>)$/gm,
      ),
    ]
    const single = /The complete (?:new )?text of (\S+), between/.exec(prompt)?.[1]
    return wanted
      .map(([, open, , named, , close]) => {
        const name = named ?? single ?? 'text'
        const before = found.get(name)
        const text =
          before === undefined || before === '(new)'
            ? (options.create?.(name) ?? `# ${name}\n\nA text.`)
            : (options.revise?.(name, before, feedback) ?? `${before}\n\n${feedback}`)
        texts.set(name, text)
        return `${open}\n${text}\n${close}`
      })
      .join('\n')
  }

  /** Goes on after the last sentence that the prompt shows. */
  function goOn(prompt: string): string {
    const [[name, tail] = ['', '']] = documents(prompt)
    const [, open, close] = /^(<answer(?:-\d+)?>)\n\(the continuation\)\n(<\/[^>]+>)$/m.exec(prompt)!
    const text = texts.get(name) ?? ''
    const end = tail.slice(-200)
    return `${open}\n${text.slice(text.lastIndexOf(end) + end.length).trimStart()}\n${close}`
  }

  return {
    name: 'writer',
    calls,
    call: async (request): Promise<ModelReply> => {
      calls.push(request)
      const full = answer(request)
      const most = Math.min(limitTokens, request.maxOutputTokens ?? Infinity) * 4
      const isCut = full.length > most
      return {
        status: 'ok',
        text: full.slice(0, most),
        usage: { tokens: Math.ceil((request.prompt.length + full.length) / 4), costUsd: 0 },
        providerMs: 1,
        sentBytes: request.prompt.length,
        ...(isCut && { cut: true }),
      }
    },
  }
}

/** The last documents of a prompt win: those to revise come after those to read. */
const documents = (prompt: string): Map<string, string> =>
  new Map(
    [...prompt.matchAll(/<document name="([^"]+)">\n([\s\S]*?)\n<\/document>/g)].map(([, name, text]) => [
      name!,
      text!,
    ]),
  )

function judge(verdict: 'approved' | 'needs_revision'): string {
  const met = { met: verdict === 'approved' ? 'yes' : 'partly', why: 'so' }
  const names = [
    'feedback_addressed',
    'consistent_with_history',
    'quality_maintained',
    'appropriate_in_scope',
    'consistent_with_upstream',
  ]
  return JSON.stringify({
    criteria: Object.fromEntries(names.map((name) => [name, met])),
    earlier_issues: [],
    specific_issues: verdict === 'approved' ? [] : ['Not yet.'],
    suggestions: [],
    reasoning: verdict === 'approved' ? 'Fine.' : 'Not yet.',
    verdict,
  })
}

/** One honest change for each changed file. */
function describe(prompt: string): string {
  const units = [...prompt.matchAll(/^(u\d+): (.+?) \(/gm)].map(([, id, label]) => ({ id: id!, label: label! }))
  const hunks = [...prompt.matchAll(/^\[(h\d+)\] ([^,\n]+)/gm)].map(([, id, label]) => ({ id: id!, label: label! }))
  const changes = units.map(({ id, label }, at) => ({
    id: `C${at + 1}`,
    hunks: hunks.filter((hunk) => hunk.label === label).map((hunk) => hunk.id),
    units: [id],
    evidence: [],
    before: '',
    after: '',
    facts: [],
    type: 'rewrite',
    magnitude: 'minor',
    locator: '',
    title: `${label} revised`,
    summary: '',
    why: 'It was asked for.',
    depends_on: [],
    ripple_of: null,
  }))
  return JSON.stringify({ changes, impact: { tone: null, arcs: [], consistency: '' }, risks: [], rationale: '' })
}
