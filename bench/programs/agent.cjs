#!/usr/bin/env node
// The smallest agent that is one: a Node of its own, reads its prompt, changes a file, says so.
const { appendFileSync, readFileSync } = require('node:fs')

if (process.argv.includes('--version')) {
  console.log('1.0.0')
} else {
  const { length } = readFileSync(0, 'utf8')
  appendFileSync('work.txt', `did what ${length} characters asked for\n`)
  console.log('added a line to work.txt')
}
