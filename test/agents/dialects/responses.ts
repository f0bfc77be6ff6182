import type { Dialect, Usage } from '../turn.ts'

type Tool = { readonly name?: string; readonly tools?: readonly Tool[] }
type Item = { readonly type: string; readonly tools?: readonly Tool[] }
type Body = { readonly input: readonly Item[]; readonly tools?: readonly Tool[] }

/** OpenAI's Responses. Newer models get their tools as an item of the input. */
export const responses: Dialect = {
  path: '/v1/responses',

  read(body) {
    const { input, tools = [] } = body as Body
    const results = input.filter(({ type }) => type.endsWith('call_output'))
    const offered = [...tools, ...input.flatMap((item) => (item.type === 'additional_tools' ? (item.tools ?? []) : []))]
    return { results: results.length, tools: offered.flatMap((tool) => [tool, ...(tool.tools ?? [])]).flatMap(nameOf) }
  },

  text: (text, usage) => [open(usage), ...message(text, usage), completed(usage)],
  beginning: (text, usage) => [open(usage), ...message(text, usage).slice(0, -1)],

  call: (say, tool, usage) => {
    const call = { id: `ct_${usage.turn}`, call_id: `call_${usage.turn}`, name: tool.name, status: 'completed' }
    const item =
      typeof tool.input === 'string'
        ? { type: 'custom_tool_call', ...call, input: tool.input }
        : { type: 'function_call', ...call, arguments: JSON.stringify(tool.input) }
    return [open(usage), ...message(say, usage), ...done(1, item), completed(usage)]
  },

  refusal: (text, usage) => [
    open(usage),
    ...message(text, usage),
    frame('response.incomplete', {
      response: {
        id: id(usage),
        status: 'incomplete',
        incomplete_details: { reason: 'content_filter' },
        usage: figures(usage),
      },
    }),
  ],
}

const nameOf = ({ name }: Tool): string[] => (name === undefined ? [] : [name])

function open(usage: Usage): string {
  return frame('response.created', { response: { id: id(usage) } })
}

function message(text: string, { turn }: Usage): string[] {
  const item = { type: 'message', id: `msg_${turn}`, role: 'assistant' }
  return [
    frame('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } }),
    frame('response.output_text.delta', { item_id: item.id, output_index: 0, content_index: 0, delta: text }),
    ...done(0, { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] }),
  ]
}

function done(output_index: number, item: object): string[] {
  return [frame('response.output_item.done', { output_index, item })]
}

function completed(usage: Usage): string {
  const response = { id: id(usage), status: 'completed', usage: figures(usage) }
  return frame('response.completed', { response })
}

function figures({ input, cached, output }: Usage): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 7 },
    total_tokens: input + output,
  }
}

function id({ turn }: Usage): string {
  return `resp_${turn}`
}

function frame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}
