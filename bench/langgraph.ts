import { type Installed, installPackages } from './install.ts'

const dependencies = {
  '@langchain/core': '1.2.13',
  '@langchain/langgraph': '1.4.18',
  '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
  zod: '4.6.7',
}
// The checkpointer asks for version 12, which aborts Node 24.19 and later when a statement is garbage-collected.
const overrides = { 'better-sqlite3': '13.0.3' }

export const langGraphName = `LangGraph.js ${dependencies['@langchain/langgraph']}, sqlite`

/** Returns a folder with LangGraph and its sqlite checkpointer, or why there is none. */
export const installLangGraph = (): Installed =>
  installPackages({
    name: 'langgraph',
    given: process.env.BENCH_LANGGRAPH,
    dependencies,
    overrides,
    check: `require('better-sqlite3')(':memory:').close()`,
  })
