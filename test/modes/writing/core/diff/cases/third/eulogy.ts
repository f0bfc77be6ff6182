import { change, conclude, type Fixture, revise } from '../case.ts'
import { affect, pick } from './edit.ts'
import { eulogyAfter, eulogyBefore } from './eulogy-texts.ts'

// Held out: written without knowing the rules. A speech at a funeral, in German.

export const eulogy: Fixture = {
  name: 'third eulogy',
  before: eulogyBefore,
  after: eulogyAfter,
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: pick(hunk, '## Der Orden'),
        units: ['u1'],
        evidence: [{ side: 'before', quote: 'Den Orden hat sie danach als Lesezeichen benutzt.' }],
        before: 'Der Landrat wartet zwanzig Minuten, und der Orden wird zum Lesezeichen.',
        after: '',
        type: 'remove',
        magnitude: 'major',
        locator: 'Der Orden',
        title: 'Die Geschichte mit dem Orden entfällt',
        summary: 'Der ganze Abschnitt über den Landrat und den Orden ist gestrichen.',
        why: 'Die Familie wollte keine Anekdote über Ehrungen.',
      }),
      change({
        id: 'C2',
        hunks: pick(hunk, 'Jens ist vor vier Jahren'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'laut, in die leere Küche hinein' }],
        before: '',
        after: 'Jens ist vor vier Jahren gestorben; sie las ihm weiter vor.',
        type: 'add',
        magnitude: 'major',
        locator: 'Die Familie',
        title: 'Der Tod von Jens',
        summary:
          'Neu ist, dass Jens vor vier Jahren gestorben ist und Hanne ihm jeden Abend eine Seite vorgelesen hat.',
        why: 'Die Ehe sollte mehr Raum bekommen.',
      }),
      change({
        id: 'C3',
        hunks: pick(hunk, 'drei Kisten', 'im Gemeindehaus'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'drei Kisten mit zweihundert Bänden' }],
        before: 'Eine Kiste mit sechzig Bänden, Kaffee im Gasthof Anker.',
        after: 'Drei Kisten mit zweihundert Bänden, Kaffee im Gemeindehaus.',
        facts: [
          { entity: 'Bücher am Ausgang', attribute: 'Zahl', from: 'sechzig', to: 'zweihundert' },
          { entity: 'Kaffee', attribute: 'Ort', from: 'Gasthof Anker', to: 'Gemeindehaus' },
        ],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Abschied',
        title: 'Mehr Bücher und ein anderer Ort',
        summary: 'Am Ausgang stehen drei Kisten mit zweihundert Bänden, und der Kaffee ist im Gemeindehaus.',
        why: 'Der Ablauf hat sich geändert.',
      }),
      change({
        id: 'C4',
        hunks: pick(hunk, 'Pflegedienst Nordlicht'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'der auch nachts gekommen ist' }],
        before: '',
        after: 'Maren und Silke danken dem Pflegedienst und Doktor Petersen.',
        type: 'add',
        magnitude: 'moderate',
        locator: 'Dank',
        title: 'Ein neuer Abschnitt mit Dank',
        summary: 'Am Schluss danken Maren und Silke dem Pflegedienst Nordlicht und Doktor Petersen.',
        why: 'Die Töchter haben darum gebeten.',
      }),
      change({
        id: 'C5',
        hunks: pick(hunk, '86 Jahren', 'elf Tage'),
        units: ['u1'],
        evidence: [{ side: 'after', quote: 'im Alter von 86 Jahren' }],
        before: '84 Jahre alt; neun Tage abgeschnitten.',
        after: '86 Jahre alt; elf Tage abgeschnitten.',
        facts: [
          { entity: 'Hanne', attribute: 'Alter', from: '84', to: '86' },
          { entity: 'Winter 1979', attribute: 'Dauer', from: 'neun Tage', to: 'elf Tage' },
        ],
        type: 'fact',
        magnitude: 'minor',
        locator: 'Begrüßung und Die Bücherei',
        title: 'Zwei Zahlen berichtigt',
        summary: 'Hanne wurde 86 statt 84 Jahre alt, und die Insel war elf statt neun Tage abgeschnitten.',
        why: 'Die Familie hat die Angaben geprüft.',
      }),
    ],
    impact: {
      tone: { from: 'heiter', to: 'inniger' },
      arcs: ['Die Ehe rückt in den Mittelpunkt.'],
      consistency: 'Der Abschnitt Kindheit ist unverändert.',
    },
    risks: [{ text: 'Ohne den Orden fehlt eine heitere Stelle.', severity: 'low' }],
    rationale: 'Die Rede verliert eine Anekdote und gewinnt ein stilles Bild. Der Dank rundet sie ab.',
  }),
  lies: {
    'ein falsches Alter': (base) =>
      revise(base, 'C5', { summary: 'Das Alter lautet jetzt 88 statt 84 Jahre, und der Winter ist länger.' }),
    'der Orden bleibt': (base) =>
      affect(base, { consistency: 'Die Geschichte mit dem Landrat und dem Orden bleibt erhalten.' }),
    'der Orden wandert': (base) =>
      revise(base, 'C1', {
        type: 'reorder',
        title: 'Der Orden steht jetzt weiter hinten',
        summary: 'Der Abschnitt über den Orden wurde hinter den Abschnitt Die Familie verschoben.',
      }),
    'eine kürzere Ehe': (base) =>
      revise(base, 'C2', { facts: [{ entity: 'Ehe', attribute: 'Dauer', from: '51 Jahre', to: '47 Jahre' }] }),
    'Kaffee weiter im Gasthof': (base) =>
      revise(base, 'C3', { after: 'Drei Kisten mit zweihundert Bänden; der Kaffee ist weiterhin im Gasthof Anker.' }),
    'die Enkel danken': (base) =>
      revise(base, 'C4', { summary: 'Am Schluss danken die Enkel dem Pflegedienst Nordlicht und Doktor Petersen.' }),
    'die Kindheit gekürzt': (base) =>
      conclude(base, { rationale: 'Die Kindheit wurde gekürzt, damit Platz für den Dank ist.' }),
    'ein Drittel kürzer': (base) =>
      conclude(base, { rationale: 'Die Rede ist jetzt um etwa ein Drittel kürzer als vorher.' }),
    'weniger Bücher': (base) =>
      revise(base, 'C3', {
        title: 'Weniger Bücher zum Mitnehmen',
        summary: 'Am Ausgang liegen weniger Bücher als bisher, und der Kaffee ist im Gemeindehaus.',
      }),
    'ein erfundenes Zitat': (base) =>
      revise(base, 'C2', { evidence: [{ side: 'after', quote: 'Sein Stuhl blieb von da an leer' }] }),
    'nur die Sprache': (base) =>
      affect(base, { consistency: 'Inhaltlich ist alles gleich geblieben, nur die Sprache wurde geglättet.' }),
    'die Mahnung gestrichen': (base) =>
      conclude(base, {
        risks: [{ text: 'Der Satz, dass sie nie eine Mahnung verschickt hat, wurde gestrichen.', severity: 'low' }],
      }),
  },
  honest: {
    'die Differenz': (base) =>
      revise(base, 'C5', {
        summary: 'Hanne ist zwei Jahre älter geworden, und die Insel war zwei Tage länger abgeschnitten.',
      }),
    'gut dreimal so viele': (base) =>
      revise(base, 'C3', {
        summary:
          'Statt sechzig Büchern gibt es nun gut dreimal so viele, verteilt auf drei Kisten. Auch der Ort für den Kaffee ist ein anderer.',
      }),
    'was bleibt': (base) =>
      affect(base, {
        consistency:
          'Die Kindheit in Husum bleibt unberührt, und Hanne will weiterhin keine Blumen, sondern dass jeder ein Buch verschenkt.',
      }),
    'der Landrat': (base) =>
      revise(base, 'C1', {
        title: 'Der Landrat kommt nicht mehr vor',
        summary: 'Drei Sätze mitsamt ihrer Überschrift sind weg: der Landrat, das Kind und das Lesezeichen.',
      }),
    'fast gleich lang': (base) =>
      conclude(base, {
        rationale:
          'Insgesamt bleibt die Rede fast gleich lang, denn die neuen Sätze gleichen den gestrichenen Teil aus.',
      }),
    'zwei neue Sätze': (base) =>
      revise(base, 'C2', {
        summary: 'Zwei neue Sätze erzählen, dass Jens vor ihr gestorben ist und sie ihm trotzdem weiter vorlas.',
      }),
    'sechs Abschnitte': (base) =>
      affect(base, {
        arcs: ['Es bleiben sechs Abschnitte: Der Orden fällt weg, der Dank kommt hinzu.'],
      }),
    'nicht mehr im Gasthof': (base) =>
      revise(base, 'C3', {
        title: 'Kaffee im Gemeindehaus statt im Gasthof',
        summary: 'Der Kaffee wird nicht mehr im Gasthof Anker getrunken. Außerdem sind es drei Kisten statt einer.',
      }),
    'eine Nachfrage': (base) =>
      conclude(base, {
        risks: [
          { text: 'Das Alter sollte die Familie vielleicht noch einmal prüfen: 84 oder 86 Jahre.', severity: 'high' },
        ],
      }),
    'das Ende': (base) =>
      revise(base, 'C4', {
        title: 'Ein Dank zum Schluss',
        summary: 'Die Rede endet nun nicht mehr mit dem Kaffee, sondern mit dem Dank der beiden Töchter.',
      }),
    'Zahlen, die bleiben': (base) =>
      affect(base, {
        consistency:
          'Todestag, Ehejahre und der Bestand der Bücherei sind dieselben: 3. März, 51 Jahre, erst 400 und später 12.000 Bände.',
      }),
    'Verlust und Gewinn': (base) =>
      conclude(base, {
        rationale:
          'Ohne den Orden verliert die Rede eine Pointe, mit der leeren Küche gewinnt sie ein Bild. Der Kuchen, das Brennholz und der Apfelbaum kommen weiterhin vor.',
      }),
  },
}
