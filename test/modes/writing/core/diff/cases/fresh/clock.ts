import { change, conclude, type Fixture, revise } from '../case.ts'
import { edit } from './edit.ts'

// A short story in German, one file without sections.

const text = `# Die Uhr am Kornmarkt

Hedwig Brandt reparierte seit vierzig Jahren Uhren, und nie war ihr eine so weit entgegengekommen. An diesem Dienstag stand die Turmuhr vom Kornmarkt in ihrer Werkstatt, in elf Kisten verpackt, und daneben ein junger Mann von der Stadtverwaltung, der sich als Herr Sauer vorstellte.

»Sie geht nach«, sagte er.

»Alle gehen nach«, sagte Hedwig. »Man muss nur lange genug warten.«

Der Auftrag war einfach. Bis zum Erntefest sollte die Uhr wieder schlagen, und die Stadt zahlte achthundert Mark. Hedwig unterschrieb, ohne zu lesen, denn ihre Brille lag im Garten.

In der ersten Nacht öffnete sie drei Kisten. Die Zahnräder waren schwarz von altem Öl, und in der dritten Kiste fand sie zwischen zwei Federn eine Maus, die sich nicht rührte. Sie begrub sie unter dem Holunder.

Ihr Neffe Emil kam am Donnerstag und brachte Suppe. Er war Lehrer und glaubte nicht an Uhren. »Du bist zu alt für so einen Turm«, sagte er und setzte sich auf die größte Kiste.

»Der Turm ist älter«, sagte Hedwig.

Am Sonntag lief das Werk zum ersten Mal. Es klang wie ein Mann, der die Treppe hinaufgeht und oben vergisst, was er wollte. Hedwig saß davor, aß die kalte Suppe und zählte die Schläge. Es waren dreizehn.

Sie zerlegte das Werk noch einmal, sie prüfte jede Nocke, und wieder schlug die Uhr dreizehn. Da schrieb sie an die Stadt, die Uhr sei gesund, nur die Zeit habe einen Fehler.

Herr Sauer antwortete nicht. Am Tag des Erntefests trugen sechs Männer die Kisten auf den Turm, und um zwölf Uhr mittags standen die Leute auf dem Platz und hörten zu. Nach dem dreizehnten Schlag war es sehr still. Dann fing ein Kind an zu klatschen.
`

export const clock: Fixture = {
  name: 'fresh clock',
  before: { 'novelle.md': text },
  after: {
    'novelle.md': edit(text, [
      ['in elf Kisten verpackt', 'in neun Kisten verpackt'],
      ['zahlte achthundert Mark', 'zahlte fünfhundert Mark'],
      [
        'eine Maus, die sich nicht rührte. Sie begrub sie unter dem Holunder.',
        'einen Brief, der an niemanden gerichtet war. Sie legte ihn ungelesen in die Schublade.',
      ],
      [
        'Ihr Neffe Emil kam am Donnerstag und brachte Suppe. Er war Lehrer und',
        'Ihre Nichte Klara kam am Donnerstag und brachte Suppe. Sie war Lehrerin und',
      ],
      ['sagte er und setzte sich', 'sagte sie und setzte sich'],
      [
        'Herr Sauer antwortete nicht. Am Tag',
        'In der Nacht darauf holte sie den Brief aus der Schublade. Er enthielt nur einen Satz: Wer mich dreizehn schlagen hört, dem ist eine Stunde geschenkt.\n\nAm Tag',
      ],
      ['Dann fing ein Kind an zu klatschen.', 'Hedwig nahm ihre Brille ab und ging nach Hause.'],
    ]),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('eine Maus'), hunk('In der Nacht darauf')],
        units: ['u1'],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'Die erste Nacht und die Nacht nach dem Schreiben an die Stadt',
        title: 'Ein Brief statt der Maus',
        summary:
          'In der dritten Kiste liegt jetzt ein Brief statt einer Maus, und später liest Hedwig ihn. Der Satz über Herrn Sauers Schweigen entfällt.',
        before: 'Hedwig findet eine Maus und begräbt sie.',
        after: 'Hedwig findet einen Brief und legt ihn ungelesen in die Schublade.',
        facts: [{ entity: 'dritte Kiste', attribute: 'Fund', from: 'eine Maus', to: 'einen Brief' }],
        why: 'Die Autorin wollte ein Rätsel.',
        evidence: [
          { side: 'before', quote: 'Sie begrub sie unter dem Holunder.' },
          { side: 'after', quote: 'Sie legte ihn ungelesen in die Schublade.' },
        ],
      }),
      change({
        id: 'C2',
        hunks: [hunk('fing ein Kind an')],
        units: ['u1'],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'Schluss',
        title: 'Ein stilles Ende',
        summary: 'Am Schluss klatscht kein Kind mehr; Hedwig nimmt ihre Brille ab und geht nach Hause.',
        before: 'Ein Kind fängt an zu klatschen.',
        after: 'Hedwig geht nach Hause.',
        why: 'Das Ende soll bei der Hauptfigur bleiben.',
        evidence: [{ side: 'after', quote: 'Hedwig nahm ihre Brille ab' }],
      }),
      change({
        id: 'C3',
        hunks: [hunk('Neffe Emil')],
        units: ['u1'],
        type: 'rename',
        magnitude: 'moderate',
        locator: 'Besuch am Donnerstag',
        title: 'Aus Emil wird Klara',
        summary: 'Statt des Neffen Emil bringt die Nichte Klara die Suppe.',
        before: 'Emil, ein Lehrer.',
        after: 'Klara, eine Lehrerin.',
        facts: [{ entity: 'Besuch', attribute: 'Name', from: 'Emil', to: 'Klara' }],
        why: 'Die Autorin wünschte sich eine zweite Frau.',
      }),
      change({
        id: 'C4',
        hunks: [hunk('neun Kisten'), hunk('fünfhundert Mark')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Anfang',
        title: 'Ein kleinerer Auftrag',
        summary: 'Neun statt elf Kisten, fünfhundert statt achthundert Mark.',
        before: 'Elf Kisten, achthundert Mark.',
        after: 'Neun Kisten, fünfhundert Mark.',
        facts: [
          { entity: 'Turmuhr', attribute: 'Kisten', from: 'elf Kisten', to: 'neun Kisten' },
          { entity: 'Auftrag', attribute: 'Lohn', from: 'achthundert Mark', to: 'fünfhundert Mark' },
        ],
        why: 'Der Auftrag soll bescheidener wirken.',
      }),
    ],
    impact: {
      tone: { from: 'heiter', to: 'still' },
      arcs: ['Der Brief aus der ersten Nacht erklärt später die dreizehn Schläge.'],
      consistency: 'Die Uhr schlägt weiterhin dreizehn.',
    },
    risks: [{ text: 'Der Leser erfährt nicht, wer den Brief geschrieben hat.', severity: 'low' }],
    rationale: 'Der Brief gibt den dreizehn Schlägen einen Sinn. Das Ende gehört jetzt Hedwig.',
  }),
  lies: {
    'ein falscher Lohn': (base) =>
      revise(base, 'C4', { summary: 'Neun statt elf Kisten, sechshundert statt achthundert Mark.' }),
    'ein falscher Name': (base) =>
      revise(base, 'C3', {
        title: 'Aus Emil wird Anna',
        summary: 'Statt des Neffen Emil bringt die Nichte Anna die Suppe.',
      }),
    'das Kind klatscht noch': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'Die Uhr schlägt weiterhin dreizehn, und am Ende klatscht nach wie vor das Kind.',
        },
      }),
    'sonst nichts': (base) => conclude(base, { rationale: 'Abgesehen vom Brief ist alles beim Alten geblieben.' }),
    'zwölf Schläge': (base) =>
      conclude(base, { impact: { ...base.impact, consistency: 'Die Uhr schlägt jetzt zwölf statt dreizehn.' } }),
    'Herr Sauer antwortet': (base) =>
      revise(base, 'C1', {
        summary:
          'In der dritten Kiste liegt jetzt ein Brief statt einer Maus. Außerdem antwortet Herr Sauer jetzt auf Hedwigs Schreiben.',
      }),
    'ein höherer Lohn': (base) =>
      revise(base, 'C4', {
        title: 'Ein anderer Auftrag',
        summary: 'Der Lohn steigt von fünfhundert auf achthundert Mark.',
      }),
    'ein erfundenes Zitat': (base) =>
      revise(base, 'C2', { evidence: [{ side: 'after', quote: 'Sie lächelte und schloss das Fenster' }] }),
    'deutlich kürzer': (base) =>
      conclude(base, { rationale: 'Die Erzählung ist deutlich kürzer geworden, ohne etwas zu verlieren.' }),
    'zehn Kisten': (base) =>
      revise(base, 'C4', {
        facts: [{ entity: 'Turmuhr', attribute: 'Kisten', from: 'zehn Kisten', to: 'neun Kisten' }],
      }),
    'nur Zeichensetzung': (base) =>
      revise(base, 'C3', {
        type: 'format',
        magnitude: 'minor',
        title: 'Zeichensetzung',
        summary: 'Hier wurde nur die Zeichensetzung vereinheitlicht.',
        before: '',
        after: '',
        facts: [],
        why: '',
      }),
    'der Sonntag am Ende': (base) =>
      revise(base, 'C2', {
        title: 'Der Sonntag rückt ans Ende',
        summary: 'Der Sonntag, an dem das Werk zum ersten Mal läuft, steht jetzt am Ende der Erzählung.',
      }),
    'im Ofen': (base) =>
      conclude(base, {
        risks: [{ text: 'Dass Hedwig den Brief im Ofen verbrennt, passt nicht zu ihrer Geduld.', severity: 'low' }],
      }),
    'drei neue Absätze': (base) =>
      revise(base, 'C1', { summary: 'Drei neue Absätze erzählen vom Brief, den Hedwig statt der Maus findet.' }),
  },
  honest: {
    'the base': (base) => base,
    'dreihundert Mark weniger': (base) =>
      revise(base, 'C4', {
        summary: 'Der Auftrag schrumpft: zwei Kisten weniger und dreihundert Mark weniger Lohn.',
      }),
    'die Nichte': (base) =>
      revise(base, 'C3', {
        summary:
          'Aus dem Neffen wird eine Nichte. Sie unterrichtet ebenfalls, bringt ebenfalls Suppe und sagt denselben Satz.',
      }),
    'was bleibt': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency:
            'Hedwig repariert nach wie vor seit vierzig Jahren Uhren, und das Werk schlägt noch immer dreizehn.',
        },
      }),
    'die tote Maus': (base) =>
      revise(base, 'C1', {
        summary:
          'Die tote Maus und ihr Grab unter dem Holunder sind verschwunden; an ihre Stelle tritt ein Brief, den Hedwig zunächst nicht liest.',
      }),
    'zwei Sätze': (base) =>
      revise(base, 'C1', {
        summary: 'Ein neuer Absatz von zwei Sätzen erzählt, was in dem Brief aus der Kiste steht.',
      }),
    'kein Wort über Sauers Schweigen': (base) =>
      revise(base, 'C1', {
        summary: 'Dass Herr Sauer nicht antwortet, steht nicht mehr da; dafür holt Hedwig den Brief hervor.',
      }),
    'niemand klatscht': (base) =>
      revise(base, 'C2', { summary: 'Niemand klatscht mehr. Hedwig nimmt die Brille ab und geht.', before: '' }),
    'etwas länger': (base) =>
      conclude(base, { rationale: 'Die Erzählung ist um gut fünfundzwanzig Wörter gewachsen.' }),
    'indirekte Rede': (base) =>
      revise(base, 'C1', {
        after: 'Im Brief heißt es, wer die Uhr dreizehn schlagen höre, dem sei eine Stunde geschenkt.',
      }),
    'ohne Absender': (base) =>
      conclude(base, {
        risks: [{ text: 'Von wem der Brief stammt und warum er in der Kiste lag, bleibt offen.', severity: 'high' }],
      }),
    'das Fest bleibt': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'Das Erntefest, die sechs Männer und die Stille nach dem letzten Schlag sind unverändert.',
        },
      }),
  },
}
