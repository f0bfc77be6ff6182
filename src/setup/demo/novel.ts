/** What a person asks for. It names chapter 2, so no other file may change. */
export const feedback = 'Make chapter 2 darker'
export const namedFile = 'lamp/chapters/chapter-02.md'

const harbour = `# Chapter 2: The Harbour

The morning was bright. Ada went to the harbour and asked for the twelfth boat.

"It will come," said the harbour master, and went back to his breakfast.

She walked home along the beach. A blue plank lay in the sand.
`

const lamp = `# Chapter 1: The Lamp

Ada lit the lamp at dusk and counted the boats. Eleven came home.
`

/** A novel with three chapters, and an edit of the first one that nobody has committed. Paths are from the novel's repository. */
export const novelFiles: Readonly<Record<string, string>> = {
  'lamp/project.yaml': 'name: lamp\ntype: novel\ncreated_at: 2026-01-01T00:00:00Z\n',
  'lamp/treatment/treatment.md':
    '# Treatment\n\nA boat does not come back. Ada, who keeps the lamp, goes on looking for it.\n',
  'lamp/chapters/chapter-01.md': lamp,
  [namedFile]: harbour,
  'lamp/chapters/chapter-03.md':
    '# Chapter 3: The Answer\n\nOn the third night Ada put out the lamp. Far out, something answered.\n',
}
export const ownEdit = {
  path: 'lamp/chapters/chapter-01.md',
  text: `${lamp}\nThe twelfth was her brother's.\n`,
} as const

/** Changes the weather alone. */
export const firstDraft = harbour.replace('bright', 'grey')
const secondDraft = firstDraft
  .replace(/"It will come.*/, 'The harbour master did not look up. He had wiped its name from the slate.')
  .replace('in the sand.', 'in the sand, with a torn sleeve on its nail.')

const reason = 'The weather is darker, but the harbour master still expects the boat.'

const judge = (verdict: 'approved' | 'needs_revision', reasoning: string): string => {
  const yes = { met: 'yes', why: 'see the text' }
  return JSON.stringify({
    criteria: {
      feedback_addressed: { met: verdict === 'approved' ? 'yes' : 'partly', why: reasoning },
      consistent_with_history: yes,
      quality_maintained: yes,
      appropriate_in_scope: yes,
      consistent_with_upstream: yes,
    },
    earlier_issues: [],
    specific_issues: verdict === 'approved' ? [] : [reasoning],
    suggestions: [],
    reasoning,
    verdict,
  })
}

/** Wants to rewrite every chapter, two of them without a reason. */
const plan = {
  understanding: 'The author wants a darker book.',
  files: ['chapter-01.md', 'chapter-02.md', 'chapter-03.md'].map((name) => ({
    name,
    action: 'change',
    task: name === 'chapter-02.md' ? 'make it darker' : '',
    ripple: name !== 'chapter-02.md',
  })),
}

/** `hunks` and `units` are the ids that the comparison of both texts gives. */
const change = {
  id: 'C1',
  hunks: ['h1', 'h2', 'h3'],
  units: ['u2'],
  evidence: [
    { side: 'before', quote: 'It will come' },
    { side: 'after', quote: 'He had wiped its name from the slate.' },
  ],
  before: 'The harbour master expects the boat',
  after: 'The harbour master has given it up',
  facts: [],
  type: 'retone',
  magnitude: 'major',
  locator: 'At the harbour',
  title: 'Nobody expects the boat any more',
  summary: 'The harbour master has given the boat up, and Ada finds a torn sleeve.',
  why: 'It is darker without a word about feelings.',
  depends_on: [],
  ripple_of: null,
}
const description = {
  changes: [change],
  impact: { tone: { from: 'hopeful', to: 'dark' }, arcs: [], consistency: '' },
  risks: [],
  rationale: 'Chapter 3 now answers a loss.',
}

export const drafts = { after: secondDraft, change } as const

const writes = 'You revise a written work'

/** A scripted model that overreaches, disappoints its judge once, and listens. Each step is known by words of its prompt. */
export const modelScript = `${JSON.stringify(
  {
    model: [
      { when: ['You decide which files have to change'], reply: JSON.stringify(plan), again: true },
      // Only a prompt with the judge's reason gets the better draft.
      { when: [writes, reason], reply: `<answer>\n${secondDraft}</answer>` },
      { when: [writes], reply: `Sure! Here is your chapter:\n\n<answer>\n${firstDraft}</answer>` },
      { when: ['strict and fair developmental editor'], reply: judge('needs_revision', reason) },
      {
        when: ['strict and fair developmental editor'],
        reply: judge('approved', 'Nobody waits for the boat any more, and nobody has to say so.'),
      },
      { when: ['tells an author what a revision has changed'], reply: JSON.stringify(description) },
    ],
  },
  null,
  2,
)}\n`

/** What the person would answer: go on with the judge's reason, then accept. */
export const answers = 'judge: yes\naccept: yes\n'
