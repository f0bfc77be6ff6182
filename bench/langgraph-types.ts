import type { Judgement } from './instant-model.ts'

// The parts we use of packages that are not installed when types are checked.

export type State = {
  readonly task: string
  readonly draft: string
  readonly step: number
  readonly score: number
  readonly judgement: Judgement
}

type Graph = {
  addNode(name: string, run: (state: State) => Promise<Partial<State>>): Graph
  addEdge(from: string, to: string): Graph
  addConditionalEdges(from: string, next: (state: State) => string): Graph
  compile(options: { readonly checkpointer: Saver }): {
    invoke(input: Partial<State>, options: Readonly<Record<string, unknown>>): Promise<State>
  }
}

export type LangGraph = {
  readonly Annotation: (() => unknown) & { Root(channels: Readonly<Record<keyof State, unknown>>): unknown }
  readonly StateGraph: new (annotation: unknown) => Graph
  readonly START: string
  readonly END: string
}

type Saver = { setup(): void; readonly db: { pragma(what: string, options?: { readonly simple: true }): unknown } }

export type SqliteCheckpointer = { readonly SqliteSaver: { fromConnString(path: string): Saver } }
