import type { Claim } from './claim.ts'

const listed = `Work on the first open item. End with one of these lines:

<promise>SUCCESS</promise>
<promise>FAILURE</promise>
<promise>BLOCKED</promise>`

const asLastLine = 'Fix the build. When everything is green, your last line is\n<promise>SUCCESS</promise>'

/** The prompt comes back, whole or in parts, dressed in one way or another. */
export const echoes: readonly Claim[] = [
  { name: 'the whole prompt', looksLike: 'completed', says: (prompt) => prompt },
  { name: 'the whole prompt, promise last', looksLike: 'completed', act: asLastLine, says: (prompt) => prompt },
  { name: 'the prompt, its line BLOCKED last', looksLike: 'blocked', act: listed, says: (prompt) => prompt },
  {
    name: 'the prompt down to its line FAILURE',
    looksLike: 'failed',
    act: listed,
    says: (prompt) => prompt.slice(0, prompt.indexOf('<promise>BLOCKED')),
  },
  {
    name: 'only the last line of the prompt',
    looksLike: 'completed',
    act: asLastLine,
    says: '<promise>SUCCESS</promise>',
  },
  {
    name: 'the last third of the prompt',
    looksLike: 'completed',
    act: asLastLine,
    says: (prompt) => prompt.slice(-Math.ceil(prompt.length / 3)),
  },
  {
    name: 'the prompt with CRLF',
    looksLike: 'completed',
    act: asLastLine,
    says: (prompt) => prompt.replaceAll('\n', '\r\n'),
  },
  {
    name: 'the prompt with lone CR, as old terminals end lines',
    looksLike: 'completed',
    act: asLastLine,
    says: (prompt) => prompt.trimEnd().replaceAll('\n', '\r'),
  },
  {
    name: 'a prompt that has CRLF itself, echoed with LF',
    looksLike: 'completed',
    act: asLastLine.replaceAll('\n', '\r\n'),
    says: asLastLine,
  },
  {
    name: 'the prompt indented by two',
    looksLike: 'completed',
    act: asLastLine,
    says: (prompt) => prompt.trimEnd().replace(/^/gm, '  '),
  },
  {
    name: 'an indented line of the prompt, echoed without its indentation',
    looksLike: 'completed',
    act: 'When all is green, your last line is\n    <promise>SUCCESS</promise>\nand nothing else.',
    says: 'When all is green, your last line is\n<promise>SUCCESS</promise>',
  },
  {
    name: 'the prompt quoted with >',
    looksLike: 'completed',
    act: asLastLine,
    says: (prompt) => `You wrote:\n\n${prompt.trimEnd().replace(/^/gm, '> ')}`,
  },
  {
    name: 'the prompt in a code fence at the very end',
    looksLike: 'completed',
    act: asLastLine,
    says: (prompt) => `This is what I was given:\n\n\`\`\`markdown\n${prompt}\`\`\``,
  },
  {
    name: 'the prompt with line numbers',
    looksLike: 'completed',
    act: asLastLine,
    says: (prompt) => {
      const lines = prompt.trimEnd().split('\n')
      return lines.map((line, index) => `${String(index + 1).padStart(4)}\t${line}`).join('\n')
    },
  },
  {
    name: 'the prompt wrapped at 60 columns, so that the promise begins a line',
    looksLike: 'completed',
    act: 'Work until nothing is open any more, and then end your very last answer with <promise>SUCCESS</promise>',
    says: (prompt) => prompt.trimEnd().replaceAll(' <promise>', '\n<promise>'),
  },
  {
    name: 'the prompt wrapped inside a box that quotes it',
    looksLike: 'blocked',
    act: 'If a person has to decide something before you can go on, then end with `<promise>BLOCKED</promise>`',
    says: 'Task:\n> If a person has to decide something before\n> you can go on, then end with\n<promise>BLOCKED</promise>',
  },
  {
    name: 'an echo between a banner and the beginning of an answer',
    looksLike: 'completed',
    act: asLastLine,
    says: (prompt) => `agent 0.4.1 (model: small)\n--------\nuser\n${prompt}\nagent\nI will look at the build first.`,
  },
]
