// The same loops with LangGraph.js and its sqlite checkpointer: one after another, or all at once.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { instantModel, type Judgement, scoreOf, steps, task } from '../instant-model.ts'
import type { LangGraph, SqliteCheckpointer } from '../langgraph-types.ts'
import { type Manner, timeLoops } from '../step-time.ts'

const [folder, around, manner, count, durability] = process.argv.slice(2) as [string, string, Manner, string, string]
const load = createRequire(join(folder, 'package.json'))
const { Annotation, END, START, StateGraph } = load('@langchain/langgraph') as LangGraph
const { SqliteSaver } = load('@langchain/langgraph-checkpoint-sqlite') as SqliteCheckpointer

const saver = SqliteSaver.fromConnString(join(around, 'checkpoints.db'))
saver.setup()
const synced = durability === 'strict'
if (synced) saver.db.pragma('synchronous = FULL')
const never = new AbortController().signal

/** One node per call, so that a paid call is saved; the decision is an edge, as in LangGraph's examples. */
const graph = new StateGraph(
  Annotation.Root({
    task: Annotation(),
    draft: Annotation(),
    judgement: Annotation(),
    score: Annotation(),
    step: Annotation(),
  }),
)
  .addNode('generate', async ({ step, draft }) => {
    const prompt = `${task}\n\n${draft}`
    return { draft: (await instantModel.call({ prompt }, never)).text, step: step + 1 }
  })
  .addNode('judge', async ({ draft }) => {
    const prompt = `Judge how well this answers: ${task}\n\n${draft}`
    const judgement = JSON.parse(
      (await instantModel.call({ prompt, schema: { type: 'object' } }, never)).text,
    ) as Judgement
    return { judgement, score: scoreOf(judgement) }
  })
  .addEdge(START, 'generate')
  .addEdge('generate', 'judge')
  .addConditionalEdges('judge', ({ score }) => (score >= 80 ? END : 'generate'))
  .compile({ checkpointer: saver })

let made = 0
async function one(): Promise<void> {
  made++
  const { score, step } = await graph.invoke(
    { task, draft: '', step: 0 },
    { configurable: { thread_id: `run-${made}` }, ...(synced && { durability: 'sync' }) },
  )
  if (score < 80 || step !== steps) throw new Error(`it ended with ${score} after ${step} steps`)
}

console.log(
  JSON.stringify({
    ...(await timeLoops(one, manner, Number(count))),
    synchronous: saver.db.pragma('synchronous', { simple: true }),
  }),
)
