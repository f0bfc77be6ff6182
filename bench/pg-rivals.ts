import { type Installed, installPackages } from './install.ts'

/** Another project's loop of five steps in Postgres. `program` is in programs/. */
export type PgRival = { readonly name: string; readonly program: string; install(): Installed }

const dbos = { '@dbos-inc/dbos-sdk': '5.3.0' }
const langGraph = {
  '@langchain/core': '1.2.13',
  '@langchain/langgraph': '1.4.18',
  '@langchain/langgraph-checkpoint-postgres': '1.0.5',
  zod: '4.6.7',
}

export const pgRivals: readonly PgRival[] = [
  {
    name: `DBOS ${dbos['@dbos-inc/dbos-sdk']}`,
    program: 'pg-loop-dbos',
    install: () =>
      installPackages({
        name: 'dbos',
        given: process.env.BENCH_DBOS,
        dependencies: dbos,
        check: `require('@dbos-inc/dbos-sdk')`,
      }),
  },
  {
    name: `LangGraph.js ${langGraph['@langchain/langgraph']}, Postgres`,
    program: 'pg-loop-langgraph',
    install: () =>
      installPackages({
        name: 'langgraph-postgres',
        given: process.env.BENCH_LANGGRAPH_POSTGRES,
        dependencies: langGraph,
        check: `require('@langchain/langgraph-checkpoint-postgres')`,
      }),
  },
]
