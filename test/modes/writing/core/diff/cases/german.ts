import { change, conclude, type Fixture, revise } from './case.ts'

// German prose with German labels: three chapters, of which two changed.

const join = (title: string, paragraphs: readonly string[]): string => `# ${title}\n\n${paragraphs.join('\n\n')}\n`

const second = [
  'Der Zug hielt zwölf Minuten in Lindau. Jonas stieg aus, obwohl er keinen Grund dafür hatte. Auf dem Bahnsteig roch es nach Regen und nach verbranntem Zucker.',
  'Eine Frau fragte ihn nach der Uhrzeit. Er sagte, es sei kurz nach acht. Sie dankte ihm und lachte, als hätte er einen Witz gemacht.',
  'Als er zurückkam, war sein Platz besetzt. Der Koffer stand noch da.',
]

const third = [
  'Das Haus am See war kleiner, als er es in Erinnerung hatte. Seine Schwester Marta öffnete die Tür und sah ihn lange an.',
  'Sie aßen schweigend. Nach dem Essen holte Marta die Briefe aus dem Schrank, alle siebzehn, und legte sie auf den Tisch.',
  'Jonas las sie in einer Nacht. Am Morgen ging er zum See und warf den letzten ins Wasser.',
]

export const german: Fixture = {
  name: 'German prose',
  before: {
    'kapitel-01.md': join('Abreise', [
      'Jonas packte am Abend. Er nahm drei Hemden mit und das Buch, das er nie zu Ende gelesen hatte.',
      'Seine Frau stand in der Tür. Sie fragte nicht, wann er wiederkomme.',
    ]),
    'kapitel-02.md': join('Lindau', second),
    'kapitel-03.md': join('Das Haus am See', third),
  },
  after: {
    'kapitel-01.md': join('Abreise', [
      'Jonas packte am Abend. Er nahm drei Hemden mit und das Buch, das er nie zu Ende gelesen hatte.',
      'Seine Frau stand in der Tür. Sie fragte nicht, wann er wiederkomme.',
    ]),
    'kapitel-02.md': join('Lindau', [
      second[0]!,
      'Ein Mann in Uniform fragte ihn nach seinem Ausweis. Jonas suchte in allen Taschen und fand nur die Fahrkarte. Der Mann notierte seinen Namen, langsam, Buchstabe für Buchstabe, und sah dabei nicht auf.',
      'Als er zurückkam, war sein Platz besetzt. Der Koffer war fort.',
    ]),
    'kapitel-03.md': join('Das Haus am See', [
      third[0]!,
      third[1]!.replace('alle siebzehn', 'alle bis auf einen'),
      third[2]!,
    ]),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('Mann in Uniform')],
        units: ['u2'],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'Mitte, auf dem Bahnsteig',
        title: 'Kapitel 2: Kontrolle statt Plauderei',
        summary: 'Statt der Frau, die nach der Uhrzeit fragt, kontrolliert ein Mann in Uniform den Ausweis von Jonas.',
        before: 'Eine Frau fragt nach der Uhrzeit und lacht.',
        after: 'Ein Mann in Uniform verlangt den Ausweis und notiert den Namen.',
        why: 'Die Szene soll bedrohlicher werden.',
        evidence: [{ side: 'after', quote: 'Der Mann notierte seinen Namen' }],
      }),
      change({
        id: 'C2',
        hunks: [hunk('Der Koffer war fort')],
        units: ['u2'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Letzter Satz',
        title: 'Kapitel 2: der Koffer verschwindet',
        summary: 'Am Ende des Kapitels ist der Koffer fort.',
        before: 'Der Koffer steht noch da.',
        after: 'Der Koffer ist fort.',
        why: 'Jonas verliert etwas, bevor er ankommt.',
        depends_on: ['C1'],
        facts: [{ entity: 'Koffer', attribute: 'Ort', from: 'stand noch da', to: 'war fort' }],
      }),
      change({
        id: 'C3',
        hunks: [hunk('alle bis auf einen')],
        units: ['u3'],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Die Briefe',
        title: 'Kapitel 3: ein Brief fehlt',
        summary: 'Marta legt nicht mehr alle siebzehn Briefe auf den Tisch, sondern alle bis auf einen.',
        before: 'Alle siebzehn Briefe.',
        after: 'Alle Briefe bis auf einen.',
        why: 'Ein offenes Ende.',
      }),
    ],
    impact: { tone: { from: 'leicht', to: 'bedrohlich' }, arcs: [], consistency: 'Kapitel 1 ist unverändert.' },
    risks: [{ text: 'Der Mann in Uniform kommt in Kapitel 3 nicht mehr vor.', severity: 'low' }],
    rationale: 'Die Bedrohung beginnt auf dem Bahnsteig und wirkt im Haus am See nach.',
  }),
  lies: {
    'Kapitel 1 wurde umgeschrieben': (base) =>
      revise(base, 'C1', { summary: 'Kapitel 1 wurde umgeschrieben, damit die Kontrolle vorbereitet ist.' }),
    'Kapitel 2 und 3 sind unverändert': (base) =>
      conclude(base, { impact: { ...base.impact, consistency: 'Kapitel 3 ist unverändert.' } }),
    'eine falsche Zahl': (base) =>
      revise(base, 'C3', {
        summary: 'Es sind jetzt nur noch zwölf Briefe auf dem Tisch statt siebzehn.',
        before: 'Alle neunzehn Briefe.',
      }),
    'Marta wurde gestrichen': (base) =>
      revise(base, 'C3', {
        title: 'Kapitel 3: Marta wurde gestrichen',
        summary: 'Marta wurde aus dem Kapitel gestrichen.',
      }),
    'ein erfundenes Zitat': (base) =>
      revise(base, 'C1', { evidence: [{ side: 'after', quote: 'Der Mann lächelte und ließ ihn gehen' }] }),
    'nur kleine Änderungen': (base) =>
      revise(base, 'C1', {
        magnitude: 'minor',
        title: 'Kapitel 2: nur kleine sprachliche Änderungen',
        summary: 'Nur kleine sprachliche Änderungen, die Handlung bleibt gleich.',
      }),
    'alle Kapitel geändert': (base) =>
      conclude(base, { rationale: 'Alle Kapitel wurden geändert, damit die Bedrohung überall spürbar ist.' }),
    'vertauschte Seiten': (base) =>
      revise(base, 'C1', {
        before: 'Ein Mann in Uniform verlangt den Ausweis und notiert den Namen.',
        after: 'Eine Frau fragt nach der Uhrzeit und lacht.',
      }),
  },
  honest: {
    'the base': (base) => base,
    'mit wahren Zahlen': (base) =>
      conclude(base, { rationale: 'Zwei von drei Kapiteln sind geändert; die zwölf Minuten in Lindau bleiben.' }),
    'freie Worte': (base) =>
      revise(base, 'C1', {
        title: 'Aus einer Begegnung wird eine Kontrolle',
        summary: 'Die freundliche Fremde weicht einem Beamten, der Jonas Angst macht.',
        before: 'Eine heitere Begegnung.',
        after: 'Eine Kontrolle ohne Blickkontakt.',
      }),
    'ein wahrer Hinweis auf das Unveränderte': (base) =>
      conclude(base, {
        impact: { ...base.impact, consistency: 'Kapitel 1 wurde nicht angefasst, und Marta öffnet weiterhin die Tür.' },
      }),
    'länger geworden': (base) =>
      revise(base, 'C1', { summary: 'Der mittlere Absatz ist länger geworden und handelt jetzt von einer Kontrolle.' }),
  },
}
