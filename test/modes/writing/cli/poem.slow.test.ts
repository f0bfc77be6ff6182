import { expect, test } from 'vitest'
import { newStudio } from '../support/studio.ts'
import { openRepl } from '../support/terminal.ts'

const typeFile = 'types/poem/type.yaml'
const prompt = 'types/poem/prompts/generate.liquid'

/** A project type that somebody wrote: three files and no code. */
const poem: Readonly<Record<string, string>> = {
  [typeFile]: `type: poem
title: Poem
says: A poem, from its mood to its verses.
questions:
  - key: idea
    asks: What is it about?
  - key: audience
    asks: For whom?
    choices: [children, sailors]
exports: verses
parts: 2
levels:
  - id: mood
    title: Mood
    saved: Mood
    folder: mood
    file: mood.md
    format: markdown
    context: []
    temperature: 1
    words: 40
    describes: A mood is a picture and a sound.
    rules: [One picture and one sound.]
  - id: verses
    title: Verses
    saved: Verses
    folder: verses
    series: { pattern: 'verse-{n}.md', one: verse, many: verses }
    format: markdown
    context: [mood]
    temperature: 0.9
    words: 30
    describes: A verse has two lines.
    rules: [The lines rhyme.]
`,
  'types/poem/prompts/generate-system.liquid': 'You are a poet who writes for {{ project.audience }}.\n',
  'types/poem/prompts/_form.liquid': 'Two lines that rhyme.\n',
  [prompt]: `A poem about {{ project.idea }}. {% render '_form' %}
{% render 'documents', documents: context %}
{% for file in must %}
Compose {{ file.name }}. {{ file.task }}
{% endfor %}
{% for file in wanted %}
{{ file.open }}
{{ file.close }}
{% endfor %}
{% comment %}It was {% render '_rhyme' %} before.{% endcomment %}
`,
}

const mood = '# Rain\n\nA tin roof, and drops on it.\n'
const verses = ['The rain is on the roof of tin,\nit knocks and wants to be let in.\n', 'At night it rests.\n']
const steps = [
  { when: ['You are a poet who writes for sailors.', 'Compose mood.md'], reply: `<answer>\n${mood}</answer>` },
  {
    when: ['You divide a story', 'exactly 2 verses'],
    reply: JSON.stringify({
      parts: [
        { title: 'Roof', summary: 'It begins.' },
        { title: 'Night', summary: 'It ends.' },
      ],
    }),
  },
  {
    when: [
      'You are a poet who writes for sailors.',
      'Two lines that rhyme.',
      mood.trim(),
      'Compose verse-01.md. Roof.',
    ],
    reply: verses.map((text, at) => `<file name="verse-0${at + 1}.md">\n${text}</file>`).join('\n'),
  },
]

test('a type of one’s own with its own prompts makes a project and its levels', async () => {
  const studio = newStudio(poem, steps)
  const repl = openRepl(studio, ['write'], 'pawl')
  await repl.say('> ', '/new Rain song')
  await repl.say('What is it? (novel/poem/prd): ', 'poem')
  await repl.say('What is it about? ', 'Rain on a roof')
  await repl.say('For whom? (children/sailors): ', 'sailors')
  await repl.sees('Project: rain-song (poem, 2 verses)\nNext: /generate mood')
  await repl.say('> ', `/model ${studio.model}`)
  await repl.say('> ', '/generate mood')
  await repl.sees('✓ Mood generated')
  await repl.say('> ', '/generate verses')
  await repl.sees('✓ Verses generated\n[Iteration target: verses]')
  await repl.say('> ', '/analyze')
  await repl.sees('[Error: a poem has no analyses]')
  await repl.say('> ', '/export md')
  await repl.sees('✓ Exported 2 files')
  await repl.say('> ', '/exit')
  await repl.ended
  expect(studio.read('rain-song/mood/mood.md')).toBe(mood)
  expect(verses.map((_, at) => studio.read(`rain-song/verses/verse-0${at + 1}.md`))).toEqual(verses)
  expect(studio.read('rain-song/exports/rain-song.md')).toContain(`# Verse 1\n\n${verses[0]}\n# Verse 2\n`)
  expect(studio.subjects()).toEqual([
    '[verses] Generate verses',
    '[mood] Generate mood',
    '[project] New project rain-song',
    'Import',
  ])
})

test('of a file that is no YAML the first place is named, and not all that follows from it', async () => {
  const studio = newStudio({ ...project, ...poem, [typeFile]: poem[typeFile]!.replace('    saved: M', '   saved: M') })
  const { text } = await studio.pawl(['write', 'rain'])
  expect(text.match(/invalid YAML/g)).toHaveLength(1)
})

test('a prompt for all types that is broken is named with file and line as well', async () => {
  const studio = newStudio({ ...project, ...poem, 'types/default/prompts/judge.liquid': 'Judge it.\n{% if %}\n' })
  const { text } = await studio.pawl(['write', '.'], ['/open rain'])
  // Lines are wrapped, wherever the temporary folder is.
  expect(text.replace(/\s+/g, ' ')).toContain('types/default/prompts/judge.liquid:2:6: broken template')
})

const project = { 'rain/project.yaml': 'name: rain\ntype: poem\ncreated_at: 2026-01-01T00:00:00Z\n' }

const broken = [
  ['an unknown key', typeFile, 'exports:', 'export:', '10:1 export: unknown key', 'Did you mean exports?'],
  ['a level that does not exist', typeFile, '[mood]', '[moood]', '30:15 levels.1.context.0: unknown level', 'moood'],
  [
    'a wrong value',
    typeFile,
    'temperature: 1\n',
    'temperature: hot\n',
    '20:18 levels.0.temperature: wrong value',
    'hot',
  ],
  ['a wrong indent', typeFile, '    saved: Mood', '   saved: Mood', '15:1: invalid YAML', 'Sequence item without -'],
  ['a tag that is not closed', prompt, '{% endfor %}', '', '6:1: broken template', 'not closed'],
  ['an unknown tag', prompt, '{% render', '{% rendr', '1:34: broken template', 'tag "rendr" not found'],
  ['an unknown filter', prompt, 'file.task', 'file.task | shout', '4:26: broken template', 'undefined filter: shout'],
  ['a part that is missing', prompt, "'_form'", "'_from'", '1:34: broken template', 'there is no template _from'],
] as const

test.each(broken)(
  '%s in a type is named with file and line, and nothing is started',
  async (_, path, from, to, where, found) => {
    const studio = newStudio({ ...poem, ...project, [path]: poem[path]!.replaceAll(from, to) }, steps)
    const told = (text: string): string => text.replaceAll('\n', ' ')
    const made = told((await studio.pawl(['write', '.'], ['/new Other', 'poem', '/open rain'])).text)
    for (const part of [`${path}:${where}`, found])
      expect(made.split(part).length, `${part} in ${made}`).toBeGreaterThan(2)
    const once = await studio.pawl(['write', 'rain', '--target', 'mood', '--generate', '--model', studio.model])
    expect([once.code, told(once.text)]).toEqual([30, expect.stringContaining(found)])
    expect((await studio.pawl(['ls'])).text).toContain('No runs')
  },
)
