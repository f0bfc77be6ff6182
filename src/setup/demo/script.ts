import { totalsTest } from './project.ts'

export const lie = 'All tests pass.'

const price = (body: string): string => `export const price = (cents) => ${body}\n`

const total = `export const total = (basket) =>
  basket.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)
`

const receipt = `import { price } from './price.js'
import { total } from './total.js'

export function receipt(basket) {
  const lines = basket.map(({ name, cents, quantity }) => \`\${quantity} \${name} \${price(cents * quantity)}\`)
  return [...lines, \`Total \${price(total(basket))}\`, ''].join('\\n')
}
`

/** Outlives any demo, so it does not end by itself. */
const daemon = { seconds: 3000, setsid: true }

/** A scripted agent that lies, cheats, leaves processes behind and hits a usage limit. */
const behaviour = {
  agent: [
    {
      when: { task: 'S1', attempt: 1 },
      write: { 'src/price.js': price('String(cents / 100)') },
      output: `Done. ${lie}\n`,
    },
    {
      when: { task: 'S1' },
      write: { 'src/price.js': price('(cents / 100).toFixed(2)') },
      output: 'Two decimals now, always.\n',
    },
    {
      when: { task: 'S2', attempt: 1 },
      fork: [daemon],
      // Long enough for the demo to see the daemon in the process table.
      delay_ms: 600,
      write: {
        'src/total.js': 'export const total = () => 600\n',
        'test/S2.test.js': totalsTest.replace("test('an empty", "test.skip('an empty"),
      },
      output: `Done. ${lie}\n`,
    },
    { when: { task: 'S2' }, write: { 'src/total.js': total }, output: 'It adds up now.\n' },
    { when: { task: 'S3', attempt: 1 }, fork: [daemon], output: 'Thinking…\n', silent_ms: 600_000 },
    {
      when: { task: 'S3', attempt: 2 },
      output: 'Out of quota.\n',
      limit: { reset_in_ms: 1500 },
      exit: 1,
    },
    { when: { task: 'S3' }, write: { 'src/receipt.js': receipt }, output: 'Receipts are printed.\n' },
  ],
}

/** JSON is valid YAML. */
export const script = `${JSON.stringify(behaviour, null, 2)}\n`
