/** The commands that check one story and the complete run. The tests exist before the code that they test. */
export const storyCheck = 'node --test test/{story_id}.test.js'
export const runCheck = 'node --test'

const prd = `# Receipts for a small shop

A basket is a list of items, each with \`name\`, \`cents\` and \`quantity\`. The till shall print receipts.

## Functional requirements

### FR-1: Prices

\`src/price.js\` exports \`price(cents)\`: cents as a price.

- AC-01: 1250 cents are "12.50", and 5 cents are "0.05".

### FR-2: Totals

\`src/total.js\` exports \`total(basket)\`: what a basket comes to, in cents.

- AC-02: Quantities count: two teas for 300 cents come to 600.
- AC-03: An empty basket comes to 0.

### FR-3: Receipts

\`src/receipt.js\` exports \`receipt(basket)\`: lines of text. Depends on FR-1 and FR-2.

- AC-04: Each item has a line, such as "2 tea 6.00".
- AC-05: The last line is the total, such as "Total 12.50".
`

const testFile = (name: string, tests: string): string => `import assert from 'node:assert/strict'
import test from 'node:test'
import { ${name} } from '../src/${name}.js'

${tests}`

const prices = `test('cents become a price with two decimals', () => {
  assert.equal(price(1250), '12.50')
  assert.equal(price(5), '0.05')
})
`

const totals = `test('quantities count', () => {
  assert.equal(total([{ name: 'tea', cents: 300, quantity: 2 }]), 600)
})

test('an empty basket comes to 0', () => {
  assert.equal(total([]), 0)
})
`

const receipts = `test('each item has a line, the total is the last', () => {
  const tea = { name: 'tea', cents: 300, quantity: 2 }
  const cake = { name: 'cake', cents: 650, quantity: 1 }
  assert.equal(receipt([tea, cake]).trimEnd(), '2 tea 6.00\\n1 cake 6.50\\nTotal 12.50')
})
`

export const totalsTest = testFile('total', totals)

/** A small ordinary repository: a PRD, a package.json, a test for each of the three stories, and no source yet. */
export const projectFiles: Readonly<Record<string, string>> = {
  'PRD.md': prd,
  'package.json': '{ "name": "till", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  'test/S1.test.js': testFile('price', prices),
  'test/S2.test.js': totalsTest,
  'test/S3.test.js': testFile('receipt', receipts),
}
