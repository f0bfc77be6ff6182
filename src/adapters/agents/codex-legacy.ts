import { z } from 'zod'

const count = z.number().nonnegative().max(1e12).catch(0)
const message = z.string().catch('')
const Total = z.object({ total_token_usage: z.object({ input_tokens: count, output_tokens: count }) })

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('agent_message'), message }),
  z.object({ type: z.literal('exec_command_begin'), command: z.array(z.string()).catch([]) }),
  z.object({ type: z.literal('patch_apply_begin'), changes: z.record(z.string(), z.unknown()).catch({}) }),
  z.object({ type: z.enum(['agent_reasoning', 'mcp_tool_call_begin', 'web_search_begin']) }),
  z.object({ type: z.literal('token_count'), info: Total.nullish().catch(null) }),
  z.object({ type: z.literal('task_complete') }),
  z.object({ type: z.enum(['error', 'stream_error']), message }),
])

/** Lines of `codex exec --json` up to about 0.42, as the events of later versions. They never say that the turn is over. */
export const LegacyLine = z.object({ msg: Message }).transform(({ msg }) => toEvent(msg))

function toEvent(msg: z.infer<typeof Message>): object {
  switch (msg.type) {
    case 'agent_message':
      return { type: 'item.completed', item: { type: 'agent_message', text: msg.message } }
    case 'exec_command_begin':
      return { type: 'item.started', item: { type: 'command_execution', command: msg.command.at(-1) ?? '' } }
    case 'patch_apply_begin': {
      const changes = Object.keys(msg.changes).map((path) => ({ path }))
      return { type: 'item.started', item: { type: 'file_change', changes } }
    }
    case 'token_count':
      return { type: 'usage', usage: msg.info?.total_token_usage ?? null }
    case 'task_complete':
      return { type: 'turn.completed', usage: null }
    case 'error':
      return { type: 'turn.failed', error: { message: msg.message } }
    case 'stream_error':
      return { type: 'error', message: msg.message }
    case 'agent_reasoning':
    case 'mcp_tool_call_begin':
    case 'web_search_begin':
      return { type: 'item.started', item: { type: 'other' } }
  }
}
