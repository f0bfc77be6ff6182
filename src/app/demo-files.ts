/** What the demo lays out: a procedure, and a scripted agent that misbehaves in its second iteration. */
export const demoConfig = `procedures:
  build:
    observe: Look at WORK.md.
    orient: See which iteration this is.
    decide: Choose one line to add.
    act: Add it.
    agent: scripted
    agent_script: agent.yml
    gates:
      - test -s WORK.md
    until: never
`

const wellBehaved = (task: string): string => `  - when: { task: ${task} }
    delay_ms: 100
    append: { WORK.md: "${task}\\n" }
    output: "added a line\\n"
    usage: { tokens: 1200, cost_usd: 0.01 }
`

export const demoScript = `agent:
  - when: { task: iteration-2 }
    fork: [{ seconds: 300, setsid: true }]
    delay_ms: 300000
${['iteration-1', 'iteration-3', 'iteration-4'].map(wellBehaved).join('')}`
