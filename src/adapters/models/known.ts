import type { Rung } from '../../contract/models.ts'

export type KnownRung = 'ollama' | 'grok' | 'claude'

/** Date on which ids, sizes and prices were looked up. The user's config can override all of them. */
export const knownOn = '2026-11-15'

/** The default ladder, weakest first. Prices are US dollars per million tokens, without caching discounts. */
export const knownRungs: Readonly<Record<KnownRung, Rung>> = {
  ollama: {
    id: 'ollama',
    label: 'Llama 3.1 70B',
    provider: 'ollama',
    model: 'llama3.1:70b',
    local: true,
    // The model supports 131,072. The server decides (OLLAMA_CONTEXT_LENGTH) and silently truncates longer prompts.
    contextTokens: 32_768,
    price: null,
  },
  grok: {
    id: 'grok',
    label: 'Grok 4.1',
    provider: 'xai',
    model: 'grok-4-1-fast-reasoning',
    local: false,
    contextTokens: 1_000_000,
    // Price of grok-4.3, which answers under this name since the model was retired.
    price: { input: 1.25, output: 2.5 },
  },
  claude: {
    id: 'claude',
    label: 'Claude Sonnet 4.5',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5-20250929',
    local: false,
    contextTokens: 200_000,
    price: { input: 3, output: 15 },
  },
}

export type Retirement = { readonly on: string; readonly instead: string }

/** Retirement dates announced by the vendors, by model id. */
export const retirements: Readonly<Record<string, Retirement>> = {
  'grok-4-1-fast-reasoning': { on: '2026-05-15', instead: 'grok-4.3' },
  'claude-sonnet-4-5-20250929': { on: '2026-11-30', instead: 'claude-sonnet-5-5' },
}
