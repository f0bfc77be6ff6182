import { z } from 'zod'

const count = z.number().nonnegative().max(1e12).catch(0)
const Usage = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
  })
  .nullable()
  .catch(null)

const ModelUsage = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
})

const Block = z
  .union([
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.literal('thinking'), thinking: z.string() }),
    z.object({
      type: z.literal('tool_use'),
      id: z.string().optional().catch(undefined),
      name: z.string(),
      input: z.unknown().optional(),
    }),
    z.object({
      type: z.literal('tool_result'),
      tool_use_id: z.string().optional().catch(undefined),
      content: z.unknown().optional(),
      is_error: z.boolean().catch(false),
    }),
    z.object({ type: z.literal('other') }),
  ])
  .catch({ type: 'other' })

const Denial = z
  .object({
    tool_name: z.string().catch('a tool'),
    tool_use_id: z.string().optional().catch(undefined),
    tool_input: z.unknown().optional(),
  })
  .catch({ tool_name: 'a tool' })

/** The events of Claude Code's stream-json that matter here. Everything that a version may leave out is optional. */
export const Event = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('assistant'),
    message: z.object({
      id: z.string().catch(''),
      model: z.string().catch(''),
      content: z.array(Block).catch([]),
      usage: Usage,
    }),
    parent_tool_use_id: z.string().nullish().catch(null),
    error: z.string().optional().catch(undefined),
  }),
  z.object({ type: z.literal('user'), message: z.object({ content: z.array(Block).catch([]) }) }),
  z.object({
    type: z.literal('system'),
    subtype: z.string(),
    error_status: z.number().nullish().catch(null),
    error: z.string().optional().catch(undefined),
    attempt: z.number().optional().catch(undefined),
    max_retries: z.number().optional().catch(undefined),
    tool_name: z.string().optional().catch(undefined),
    tool_use_id: z.string().optional().catch(undefined),
  }),
  z.object({
    type: z.literal('rate_limit_event'),
    rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().optional().catch(undefined) }),
  }),
  z.object({
    type: z.literal('result'),
    subtype: z.string().catch(''),
    is_error: z.boolean().optional().catch(undefined),
    api_error_status: z.number().nullish().catch(null),
    result: z.string().catch(''),
    errors: z.array(z.string().catch('')).catch([]),
    terminal_reason: z.string().catch(''),
    stop_reason: z.string().nullish().catch(null),
    total_cost_usd: z.number().nonnegative().max(1e9).nullish().catch(null),
    usage: Usage,
    modelUsage: z.record(z.string(), ModelUsage).nullable().catch(null),
    permission_denials: z.array(Denial).catch([]),
  }),
])
export type Event = z.infer<typeof Event>
export type Result = Extract<Event, { type: 'result' }>
export type Message = Extract<Event, { type: 'assistant' }>
export type Block = z.infer<typeof Block>
export type Usage = NonNullable<z.infer<typeof Usage>>
