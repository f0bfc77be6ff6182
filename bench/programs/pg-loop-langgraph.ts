// Loops of five trivial steps with LangGraph.js and its Postgres checkpointer, each a separate thread.
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { steps } from '../instant-model.ts'
import { timeLanes } from '../lanes.ts'
import { trivialWork } from '../trivial.ts'

type State = { readonly step: number; readonly status: string }
type Saver = { setup(): Promise<void>; end(): Promise<void> }
type Graph = {
  addNode(name: string, run: (state: State) => Promise<State>): Graph
  addEdge(from: string, to: string): Graph
  addConditionalEdges(from: string, next: (state: State) => string): Graph
  compile(options: { readonly checkpointer: Saver }): {
    invoke(input: Partial<State>, options: Readonly<Record<string, unknown>>): Promise<State>
  }
}
type LangGraph = {
  readonly Annotation: (() => unknown) & { Root(channels: Readonly<Record<keyof State, unknown>>): unknown }
  readonly StateGraph: new (annotation: unknown) => Graph
  readonly START: string
  readonly END: string
}
type Checkpointer = { readonly PostgresSaver: { fromConnString(url: string): Saver } }

const [folder, url, lanes, count] = process.argv.slice(2) as [string, string, string, string]
const load = createRequire(join(folder, 'package.json'))
const { Annotation, END, START, StateGraph } = load('@langchain/langgraph') as LangGraph
const { PostgresSaver } = load('@langchain/langgraph-checkpoint-postgres') as Checkpointer
const saver = PostgresSaver.fromConnString(url)
await saver.setup()

const graph = new StateGraph(Annotation.Root({ step: Annotation(), status: Annotation() }))
  .addNode('work', async ({ step }) => ({ step: step + 1, status: (await trivialWork.attempt()).status }))
  .addEdge(START, 'work')
  .addConditionalEdges('work', ({ step }) => (step >= steps ? END : 'work'))
  .compile({ checkpointer: saver })

/** `sync`: a step is saved before the next one begins, as ours is. */
async function one(): Promise<void> {
  const options = { configurable: { thread_id: randomUUID() }, durability: 'sync' }
  const { step } = await graph.invoke({ step: 0, status: '' }, options)
  if (step !== steps) throw new Error(`it ended after ${step} steps`)
}

const timed = await timeLanes(one, Number(lanes), Number(count))
console.log(JSON.stringify(timed))
await saver.end()
