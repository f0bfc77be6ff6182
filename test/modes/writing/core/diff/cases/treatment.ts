import { change, conclude, type Fixture, revise } from './case.ts'

// A treatment in one file. Elena becomes Mara, except in one place; act two is much shorter; act three gains a scene.

const head = `# Treatment

## Logline

A court interpreter discovers that the defendant she translates for is telling her own story.

`

const text = `${head}## Act One

Elena Rossi interprets at the assizes of Trieste. She is known for her accuracy, and she has not made a mistake in nine years. The defendant, a sailor called Davor, speaks a dialect that only her mother spoke.

On the second day Davor tells the court about a house with a green door. Elena translates it as a blue door. Nobody notices.

## Act Two

Elena visits the prison at night. Davor tells her more: the well, the dog, the uncle who counted coins. She begins to keep two notebooks, one for the court and one for herself.

The prosecutor, Doctor Weiss, suspects her. He hires a second interpreter, an old priest, who listens from the gallery and says nothing for a week. Elena changes small things in every session. The judge praises her calm.

A journalist follows her to the prison. She offers Elena money for the second notebook. Elena refuses, and the next day her flat is searched.

The priest speaks at last. He tells the judge that the translation is perfect, and Elena does not know why he lies.

## Act Three

The verdict is read in a full court. Elena translates it word for word. Davor is acquitted and leaves without looking at her.

She goes to the house. The door is green.
`

export const treatment: Fixture = {
  name: 'treatment',
  before: { 'treatment.md': text },
  after: {
    'treatment.md': `${head}## Act One

Mara Rossi interprets at the assizes of Trieste. She is known for her accuracy, and she has not made a mistake in nine years. The defendant, a sailor called Davor, speaks a dialect that only her mother spoke.

On the second day Davor tells the court about a house with a green door. Mara translates it as a blue door. Nobody notices.

## Act Two

Mara visits the prison at night. Davor tells her more: the well, the dog, the uncle who counted coins. She begins to keep two notebooks, one for the court and one for herself.

The prosecutor, Doctor Weiss, suspects her. He hires a second interpreter, an old priest, who listens from the gallery. The priest tells the judge that the translation is perfect, and Elena does not know why he lies.

## Act Three

The verdict is read in a full court. Mara translates it word for word. Davor is acquitted and leaves without looking at her.

### The Harbour

At the harbour the priest waits for her. He gives her a photograph of two children before a green door.

She goes to the house. The door is green.
`,
  },
  base: (hunk) => {
    const cut = [
      ...new Set([
        hunk('A journalist follows her'),
        hunk('The priest speaks at last'),
        hunk('says nothing for a week'),
      ]),
    ]
    const scene = [hunk('a photograph of two children')]
    const names = hunk.of('treatment.md').filter((id) => !cut.includes(id) && !scene.includes(id))
    return {
      changes: [
        change({
          id: 'C1',
          hunks: names,
          units: ['u1'],
          type: 'rename',
          magnitude: 'moderate',
          locator: 'All acts',
          title: 'The interpreter is now called Mara',
          summary: 'Elena Rossi becomes Mara Rossi in most places.',
          before: 'The interpreter is Elena.',
          after: 'The interpreter is Mara.',
          why: 'The request asks for another name.',
          facts: [{ entity: 'interpreter', attribute: 'name', from: 'Elena Rossi', to: 'Mara Rossi' }],
        }),
        change({
          id: 'C2',
          hunks: cut,
          units: ['u1'],
          type: 'remove',
          magnitude: 'major',
          locator: 'Act Two',
          title: 'Act Two is cut to two paragraphs',
          summary: 'The journalist is removed, and the lie of the priest follows at once.',
          before: 'A journalist offers money, the flat is searched, and the priest speaks at last.',
          after: 'The priest lies to the judge at once.',
          why: 'The middle was too long.',
          evidence: [{ side: 'before', quote: 'She offers Elena money for the second notebook.' }],
        }),
        change({
          id: 'C3',
          hunks: scene,
          units: ['u1'],
          type: 'add',
          magnitude: 'moderate',
          locator: 'Act Three, The Harbour',
          title: 'A new scene at the harbour',
          summary: 'One scene is added: the priest gives her a photograph.',
          before: 'She goes to the house alone.',
          after: 'The priest gives her a photograph of two children.',
          why: 'It explains the lie.',
          evidence: [{ side: 'after', quote: 'a photograph of two children before a green door' }],
        }),
      ],
      impact: {
        tone: null,
        arcs: ['The priest gets a motive.'],
        consistency: 'One sentence of act two still says Elena.',
      },
      risks: [{ text: 'The old name remains in one place.', severity: 'high' }],
      rationale: 'A shorter second act and a scene that pays it off.',
    }
  },
  lies: {
    'renamed everywhere': (base) =>
      revise(base, 'C1', { summary: 'Elena is renamed to Mara everywhere; the old name no longer occurs.' }),
    'another name': (base) =>
      revise(base, 'C1', {
        title: 'The interpreter is now called Lucia',
        facts: [{ entity: 'interpreter', attribute: 'name', from: 'Elena Rossi', to: 'Lucia Rossi' }],
      }),
    'the priest was removed': (base) =>
      revise(base, 'C2', { summary: 'The journalist and the priest were removed from the story.' }),
    'the act was expanded': (base) =>
      revise(base, 'C2', {
        type: 'add',
        title: 'Act Two expanded',
        summary: 'Act Two is longer now and gives the prosecutor more room.',
      }),
    'three scenes': (base) =>
      revise(base, 'C3', { title: 'Three new scenes at the harbour', summary: 'Three scenes are added.' }),
    'the text grew': (base) => conclude(base, { rationale: 'The word count rises by 15 % because of the new scene.' }),
    'another span of time': (base) => revise(base, 'C1', { after: 'Mara has not made a mistake in twelve years.' }),
    'a scene at the beginning': (base) =>
      revise(base, 'C3', { locator: 'Opening of Act One', title: 'A new opening scene' }),
    'the logline changed': (base) =>
      conclude(base, { rationale: 'The logline was rewritten, and a scene pays it off.' }),
  },
  honest: {
    'the base': (base) => base,
    'a shorter text': (base) =>
      conclude(base, { rationale: 'The treatment is shorter overall although a scene was added.' }),
    'a name that remains': (base) =>
      revise(base, 'C1', { summary: 'Elena is renamed to Mara, but one sentence in act two keeps the old name.' }),
    'the journalist': (base) =>
      revise(base, 'C2', {
        title: 'Act Two loses the journalist',
        summary:
          'The journalist subplot is cut, and with it the search of the flat. The priest no longer waits a week.',
      }),
    'a photograph': (base) =>
      revise(base, 'C3', {
        title: 'The priest returns in Act Three',
        summary: 'A short scene near the end: two children before a green door on a photograph.',
        locator: 'Near the end',
      }),
    'unchanged parts': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'The logline is unchanged, and the last line still shows the green door.',
        },
      }),
  },
}
