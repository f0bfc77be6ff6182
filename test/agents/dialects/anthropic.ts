import type { Dialect, Usage } from '../turn.ts'

type Body = {
  readonly messages: readonly { readonly content: string | readonly { readonly type: string }[] }[]
  readonly tools?: readonly { readonly name: string }[]
}

/** Anthropic's Messages. What is read from the cache stands beside the input there, not in it. */
export const anthropic: Dialect = {
  path: '/v1/messages',

  read(body) {
    const { messages, tools = [] } = body as Body
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    return { results: blocks.filter(({ type }) => type === 'tool_result').length, tools: tools.map(({ name }) => name) }
  },

  text: (text, usage) => [open(usage), ...textBlock(text), ...close('end_turn', usage)],
  refusal: (text, usage) => [open(usage), ...textBlock(text), ...close('refusal', usage)],
  beginning: (text, usage) => [open(usage), ...textBlock(text).slice(0, -1)],

  call: (say, tool, usage) => [
    open(usage),
    ...textBlock(say),
    ...block(
      1,
      { type: 'tool_use', id: `toolu_${usage.turn}`, name: tool.name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(tool.input) },
    ),
    ...close('tool_use', usage),
  ],
}

function open({ turn, input, cached }: Usage): string {
  const usage = {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  }
  const message = { id: `msg_${turn}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [] }
  return frame('message_start', { message: { ...message, stop_reason: null, stop_sequence: null, usage } })
}

function textBlock(text: string): string[] {
  return block(0, { type: 'text', text: '' }, { type: 'text_delta', text })
}

function block(index: number, content_block: object, delta: object): string[] {
  return [
    frame('content_block_start', { index, content_block }),
    frame('content_block_delta', { index, delta }),
    frame('content_block_stop', { index }),
  ]
}

function close(stop_reason: string, { output }: Usage): string[] {
  const usage = { output_tokens: output }
  return [frame('message_delta', { delta: { stop_reason, stop_sequence: null }, usage }), frame('message_stop', {})]
}

function frame(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}
