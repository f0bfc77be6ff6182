import { describe, expect, test } from 'vitest'
import { chooseMarkers, extractText } from '../../../src/judging/text/extract-text.ts'

const markers = chooseMarkers([])
const extract = (reply: string, ...sources: string[]): string => extractText(reply, markers, sources)

const document = '# Tides\n\nThe sea rises twice a day.\n\nSee you at low water.'
const withCode = '# Tides\n\n```js\nrise()\n```\n\nTwice a day.'

describe('between the markers that were asked for', () => {
  test.each<[string, string, string]>([
    ['alone', `<answer>\n${document}\n</answer>`, document],
    ['on the same line', '<answer>A haiku</answer>', 'A haiku'],
    ['with talk on both sides', `Sure!\n<answer>\n${document}\n</answer>\nLet me know.`, document],
    ['in a fence of its own', `<answer>\n\`\`\`markdown\n${document}\n\`\`\`\n</answer>`, document],
    ['in a fence around the markers', `\`\`\`\n<answer>\n${document}\n</answer>\n\`\`\``, document],
    ['cut off before the second marker', `<answer>\n${document}`, document],
    [
      'with talk as content',
      '<answer>\nSure! Here is the text:\n\nNo.\n\nLet me know!\n</answer>',
      'Sure! Here is the text:\n\nNo.\n\nLet me know!',
    ],
    [
      'with inner markers of the same name',
      '<answer>\nWrite <answer>42</answer> so.\n</answer>',
      'Write <answer>42</answer> so.',
    ],
    ['after thinking of them', `<think>I answer with <answer>.</think>\n<answer>\n${document}\n</answer>`, document],
    ['after a mention of them', `I use <answer> as asked.\n<answer>\n${document}\n</answer>`, document],
    ['with an indented first line', '<answer>\n\n    code()\n</answer>', '    code()'],
  ])('%s', (_, reply, text) => expect(extract(reply)).toBe(text))

  test('the markers occur in no text that the model sees', () => {
    expect(chooseMarkers(['an <answer> here']).open).toBe('<answer-2>')
    expect(chooseMarkers(['</answer>', '<answer-2>'])).toEqual({ open: '<answer-3>', close: '</answer-3>' })
  })
})

describe('without markers, what wraps the text goes', () => {
  const talk = 'Sure! Here is the text:'
  const offer = 'Let me know if you want any changes!'
  test.each<[string, string, string]>([
    ['talk before and after', `${talk}\n\n${document}\n\n${offer}`, document],
    ['talk before', `${talk}\n\n${document}`, document],
    ['talk on the line of the text', `${talk} A haiku`, 'A haiku'],
    ['an announcement alone', `Here's the revised version of the document:\n\n${document}`, document],
    ['talk, a rule and an offer', `Certainly! Below is the draft:\n\n${document}\n\n---\n\n${offer}`, document],
    ['eager talk', `Of course! I'd be happy to help. Here is an improved PRD:\n\n${document}\n\n${offer}`, document],
    [
      'German talk',
      `Gerne! Hier ist der überarbeitete Text:\n\n${document}\n\nLassen Sie mich wissen, ob etwas fehlt.`,
      document,
    ],
    ['French talk', `Bien sûr ! Voici le texte :\n\n${document}\n\nN'hésitez pas à me le dire.`, document],
    ['thoughts', `<think>\nTides, then.\n</think>\n\n${document}`, document],
    ['a fence', `\`\`\`\n${document}\n\`\`\``, document],
    ['a fence with a language', `\`\`\`markdown\n${document}\n\`\`\`\n`, document],
    ['a fence of tildes', `~~~md\n${document}\n~~~`, document],
    ['a longer fence around fences', `\`\`\`\`markdown\n${withCode}\n\`\`\`\``, withCode],
    ['the same fence around fences', `\`\`\`markdown\n${withCode}\n\`\`\``, withCode],
    ['a fence around code', '```python\nprint(1)\n```', 'print(1)'],
    ['talk, a fence and an offer', `${talk}\n\n\`\`\`markdown\n${withCode}\n\`\`\`\n\n${offer}`, withCode],
    ['talk, a bare fence and any last line', `${talk}\n\`\`\`\n${document}\n\`\`\`\nThis keeps your tone.`, document],
  ])('%s', (_, reply, text) => expect(extract(reply)).toBe(text))
})

describe('without markers, what is content stays, to the byte', () => {
  test.each<[string, string]>([
    ['a text that ends with a question', 'Why tides?\n\nWould you like to know more?'],
    ['a letter that ends with an offer', 'Dear Ann,\n\nthe boat is ready.\n\nLet me know when you come.'],
    ['a heading', '# Sure\n\nA brand of rope.'],
    ['a dialogue', 'Sure, she said. There is where we land: at the pier.\n\nThey landed.'],
    ['a dialogue with a colon', '"Sure! Here is the text:" he read aloud.\n\nNobody listened.'],
    ['a list with an introduction', 'Here are the steps:\n\n1. Wait.\n2. Row.'],
    ['a first line with a colon', 'Certainly: a play in two acts\n\nAct one.'],
    ['a document with code inside', withCode],
    ['a document that begins and ends with code', '```sh\nnpm i\n```\n\nThen:\n\n```sh\nnpm start\n```'],
    ['the same with bare fences', '```\nnpm i\n```\n\nThen:\n\n```\nnpm start\n```'],
    ['the same with a language first only', '```sh\nnpm i\n```\n\nThen:\n\n```\nnpm start\n```'],
    ['a document about fences', 'Here is how to write one:\n\n```markdown\n# Hi\n```\n\nThat is all.'],
    ['two blocks of Markdown', '```markdown\n# A\n```\n\nor\n\n```markdown\n# B\n```'],
    ['an open fence', '```js\nrise()'],
    ['nothing', ''],
    ['only talk', 'Sure! Here is the text:'],
  ])('%s', (_, reply) => expect(extract(reply)).toBe(reply))

  test('whatever was in the text before', () => {
    const fenced = '```sh\nnpm i\n```'
    expect(extract('```sh\nnpm ci\n```', fenced)).toBe('```sh\nnpm ci\n```')
    const announced = 'Here is the text:\n\nThe sea.\n\nLet me know!'
    expect(extract(announced, announced.replace('sea', 'lake'))).toBe(announced)
    const talk = 'Sure! Here is the draft:\n\nDear Ann\n\nLet me know!'
    expect(extract(talk, 'Hello\n\nLet me know!')).toBe('Dear Ann\n\nLet me know!')
  })
})

test('a hostile reply takes linear time', () => {
  const began = performance.now()
  for (const reply of [
    '`'.repeat(300_000),
    '```\n'.repeat(100_000),
    `Sure! ${'here is '.repeat(50_000)}`,
    '\n'.repeat(300_000),
  ])
    extract(reply)
  expect(performance.now() - began).toBeLessThan(5_000)
})
