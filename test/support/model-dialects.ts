export type Usage = { readonly input: number; readonly output: number }
export type Ending = 'stop' | 'length' | 'refusal'

/** What one provider's clients send, and how its server speaks: each of these values becomes one event of a stream. */
export type Dialect = {
  readonly provider: 'openai' | 'anthropic' | 'xai'
  readonly asked: (body: Body) => Asked
  readonly begin: (usage: Usage | null) => readonly object[]
  readonly piece: (text: string) => object
  readonly end: (ending: Ending, usage: Usage | null, text: string) => readonly object[]
  readonly whole: (text: string, ending: Ending, usage: Usage | null) => object
  readonly error: (type: string, message: string) => object
  /** An error amid a stream. */
  readonly trouble: (type: string, message: string) => object
}

/** What clients of all of them send. */
export type Body = {
  readonly model: string
  readonly system?: unknown
  readonly messages?: readonly Message[]
  readonly input?: readonly Message[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly max_output_tokens?: number
  readonly temperature?: number
  readonly response_format?: { readonly json_schema?: { readonly schema?: unknown } }
  readonly output_config?: { readonly format?: { readonly schema?: unknown } }
  readonly text?: { readonly format?: { readonly schema?: unknown } }
  readonly stream?: boolean
  readonly store?: boolean
}
type Message = { readonly role: string; readonly content: unknown }

export type Asked = {
  readonly model: string
  readonly system: string
  readonly prompt: string
  readonly maxTokens: number | undefined
  readonly temperature: number | undefined
  /** What the answer is to be like, in the words of the provider. */
  readonly format: unknown
  /** What the JSON is to be like, where that is told. */
  readonly schema: unknown
  readonly stream: boolean
  /** The provider may keep it. */
  readonly kept: boolean
}

export function dialectOf(path: string): Dialect | undefined {
  if (path.endsWith('/chat/completions')) return openai
  if (path.endsWith('/responses')) return xai
  return path.endsWith('/messages') ? anthropic : undefined
}

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : ''
}

const said = (messages: readonly Message[] | undefined, wanted: (role: string) => boolean): string =>
  (messages ?? []).flatMap((one) => (wanted(one.role) ? [textOf(one.content)] : [])).join('\n')

const isSystem = (role: string): boolean => role === 'system' || role === 'developer'
const isUser = (role: string): boolean => role === 'user'

const openai: Dialect = {
  provider: 'openai',
  asked: (body) => ({
    model: body.model,
    system: said(body.messages, isSystem),
    prompt: said(body.messages, isUser),
    maxTokens: body.max_tokens ?? body.max_completion_tokens,
    temperature: body.temperature,
    format: body.response_format,
    schema: body.response_format?.json_schema?.schema,
    stream: body.stream === true,
    kept: body.store === true,
  }),
  begin: () => [chunk({ role: 'assistant', content: '' }, null)],
  piece: (text) => chunk({ content: text }, null),
  end: (ending, usage) => [chunk({}, openaiEnding(ending)), ...(usage ? [counted(usage)] : [])],
  whole: (text, ending, usage) => ({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: openaiEnding(ending) }],
    ...(usage && { usage: openaiUsage(usage) }),
  }),
  error: (type, message) => ({ error: { type, message, code: type } }),
  trouble: (type, message) => ({ error: { type, message, code: type } }),
}

const head = { id: 'answer-1', created: 1_700_000_000, model: 'served' }
const chunk = (delta: object, finish: string | null) => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const openaiEnding = (ending: Ending): string => (ending === 'refusal' ? 'content_filter' : ending)
const openaiUsage = ({ input, output }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})
const counted = (usage: Usage) => ({ ...head, object: 'chat.completion.chunk', choices: [], usage: openaiUsage(usage) })

const anthropic: Dialect = {
  provider: 'anthropic',
  asked: (body) => ({
    model: body.model,
    system: textOf(body.system),
    prompt: said(body.messages, isUser),
    maxTokens: body.max_tokens,
    temperature: body.temperature,
    format: body.output_config,
    schema: body.output_config?.format?.schema,
    stream: body.stream === true,
    kept: false,
  }),
  begin: (usage) => [
    { type: 'message_start', message: { ...message('', null, usage), content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ],
  piece: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  end: (ending, usage) => [
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: anthropicEnding(ending), stop_sequence: null },
      usage: { output_tokens: usage?.output ?? 0 },
    },
    { type: 'message_stop' },
  ],
  whole: (text, ending, usage) => message(text, anthropicEnding(ending), usage),
  error: (type, text) => ({ type: 'error', error: { type, message: text } }),
  trouble: (type, text) => ({ type: 'error', error: { type, message: text } }),
}

const anthropicEnding = (ending: Ending): string =>
  ({ stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' })[ending]
const message = (text: string, stop: string | null, usage: Usage | null) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'served',
  content: [{ type: 'text', text }],
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 },
})

const xai: Dialect = {
  provider: 'xai',
  asked: (body) => ({
    model: body.model,
    system: said(body.input, isSystem),
    prompt: said(body.input, isUser),
    maxTokens: body.max_output_tokens,
    temperature: body.temperature,
    format: body.text,
    schema: body.text?.format?.schema,
    stream: body.stream === true,
    kept: body.store !== false,
  }),
  begin: () => [
    { type: 'response.created', response: { ...response([], 'in_progress', null) } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item(''), content: [], status: 'in_progress' } },
  ],
  piece: (text) => ({
    type: 'response.output_text.delta',
    item_id: 'item-1',
    output_index: 0,
    content_index: 0,
    delta: text,
  }),
  end: (ending, usage, text) => {
    const done = { type: 'response.output_item.done', output_index: 0, item: item(text) }
    if (ending === 'stop') {
      return [done, { type: 'response.completed', response: response([item(text)], 'completed', usage) }]
    }
    const reason = ending === 'length' ? 'max_output_tokens' : 'content_filter'
    const cut = { ...response([], 'incomplete', usage), incomplete_details: { reason } }
    return [done, { type: 'response.incomplete', response: cut }]
  },
  whole: (text, _ending, usage) => response([item(text)], 'completed', usage),
  error: (type, text) => ({ code: type, error: text }),
  trouble: (type, text) => ({ type: 'error', code: type, message: text }),
}

const item = (text: string) => ({
  type: 'message',
  role: 'assistant',
  id: 'item-1',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const response = (output: readonly object[], status: string, usage: Usage | null) => ({
  id: 'response-1',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'served',
  status,
  output,
  usage: usage && { input_tokens: usage.input, output_tokens: usage.output, total_tokens: usage.input + usage.output },
})
