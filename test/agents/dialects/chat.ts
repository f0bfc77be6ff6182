import type { Dialect, Usage } from '../turn.ts'

type Body = {
  readonly messages: readonly { readonly role: string }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

/** OpenAI's chat completions, as local and smaller providers speak them. */
export const chat: Dialect = {
  path: '/v1/chat/completions',

  read(body) {
    const { messages, tools = [] } = body as Body
    const names = tools.map((tool) => tool.function.name)
    return { results: messages.filter(({ role }) => role === 'tool').length, tools: names }
  },

  text: (text, usage) => [...said(text), ...close('stop', usage)],
  refusal: (text, usage) => [...said(text), ...close('content_filter', usage)],
  beginning: (text) => said(text),

  call: (say, tool, usage) => {
    const call = { name: tool.name, arguments: JSON.stringify(tool.input) }
    const tool_calls = [{ index: 0, id: `call_${usage.turn}`, type: 'function', function: call }]
    return [...said(say), chunk({ choices: [choice({ tool_calls })] }), ...close('tool_calls', usage)]
  },
}

function said(content: string): string[] {
  return [chunk({ choices: [choice({ role: 'assistant', content })] })]
}

function close(reason: string, { input, cached, output }: Usage): string[] {
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: 7 },
  }
  return [chunk({ choices: [choice({}, reason)] }), chunk({ choices: [], usage }), 'data: [DONE]\n\n']
}

function choice(delta: object, finish_reason: string | null = null): object {
  return { index: 0, delta, finish_reason }
}

function chunk(data: object): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'mock-1', ...data })}\n\n`
}
