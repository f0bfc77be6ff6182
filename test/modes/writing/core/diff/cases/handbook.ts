import { change, conclude, type Fixture, revise } from './case.ts'

// Held out: written after the rules, which were not adapted to it. A handbook in German and a product brief as JSON in one level.

const text = `# Handbuch

## Öffnungszeiten

Die Werkstatt ist montags bis freitags von neun bis achtzehn Uhr geöffnet. Am Samstag bleibt sie geschlossen.

## Ausleihe

- Jedes Mitglied darf zwei Maschinen gleichzeitig ausleihen.
- Die Leihfrist beträgt 14 Tage.
- Wer zu spät kommt, zahlt fünf Euro pro Tag.

## Sicherheit

An der Kreissäge sind Schutzbrille und Gehörschutz Pflicht. Frau Albrecht weist neue Mitglieder ein.

## Kontakt

Fragen beantwortet Herr Yilmaz per Telefon.
`

export const handbook: Fixture = {
  name: 'held-out handbook',
  before: { 'handbuch.md': text },
  after: {
    'handbuch.md': text
      .replace('Am Samstag bleibt sie geschlossen.', 'Am Samstag ist sie von zehn bis vierzehn Uhr geöffnet.')
      .replace('zwei Maschinen', 'drei Maschinen')
      .replace('14 Tage', '21 Tage')
      .replace(
        'Frau Albrecht weist neue Mitglieder ein.',
        'Herr Yilmaz weist neue Mitglieder ein. Die Einweisung dauert eine Stunde und wird im Ausweis vermerkt.',
      )
      .replace('Wer zu spät kommt, zahlt fünf Euro pro Tag.', 'Wer zu spät kommt, bekommt eine Mahnung.'),
  },
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: [hunk('Am Samstag ist sie')],
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Öffnungszeiten',
        title: 'Samstags geöffnet',
        summary: 'Die Werkstatt öffnet jetzt auch am Samstag, von zehn bis vierzehn Uhr.',
        before: 'Samstags geschlossen.',
        after: 'Samstags von zehn bis vierzehn Uhr geöffnet.',
        why: 'Viele Mitglieder arbeiten unter der Woche.',
      }),
      change({
        id: 'C2',
        hunks: [hunk('drei Maschinen'), hunk('21 Tage'), hunk('bekommt eine Mahnung')].filter(
          (id, at, all) => all.indexOf(id) === at,
        ),
        units: ['u1'],
        type: 'fact',
        magnitude: 'major',
        locator: 'Ausleihe',
        title: 'Großzügigere Ausleihe',
        summary: 'Drei statt zwei Maschinen, 21 statt 14 Tage, und statt einer Gebühr gibt es eine Mahnung.',
        before: 'Zwei Maschinen, 14 Tage, fünf Euro pro Tag.',
        after: 'Drei Maschinen, 21 Tage, eine Mahnung.',
        facts: [{ entity: 'Leihfrist', attribute: 'Dauer', from: '14 Tage', to: '21 Tage' }],
        why: 'Die Gebühr hat niemand bezahlt.',
        evidence: [{ side: 'before', quote: 'zahlt fünf Euro pro Tag' }],
      }),
      change({
        id: 'C3',
        hunks: [hunk('Herr Yilmaz weist')],
        units: ['u1'],
        type: 'rewrite',
        magnitude: 'moderate',
        locator: 'Sicherheit',
        title: 'Herr Yilmaz übernimmt die Einweisung',
        summary: 'Die Einweisung macht jetzt Herr Yilmaz; sie dauert eine Stunde und wird vermerkt.',
        before: 'Frau Albrecht weist ein.',
        after: 'Herr Yilmaz weist ein, eine Stunde lang.',
        why: 'Frau Albrecht hört auf.',
        facts: [{ entity: 'Einweisung', attribute: 'Person', from: 'Frau Albrecht', to: 'Herr Yilmaz' }],
      }),
    ],
    impact: { tone: null, arcs: [], consistency: 'Der Abschnitt Kontakt ist unverändert.' },
    risks: [],
    rationale: 'Das Handbuch wird freundlicher, ohne an Sicherheit zu verlieren.',
  }),
  lies: {
    'eine falsche Frist': (base) => revise(base, 'C2', { summary: 'Drei statt zwei Maschinen und 28 statt 14 Tage.' }),
    'Kontakt geändert': (base) =>
      conclude(base, { rationale: 'Kontakt wurde überarbeitet, damit alle Herrn Yilmaz finden.' }),
    'Ausleihe unverändert': (base) =>
      conclude(base, { impact: { ...base.impact, consistency: 'Die Ausleihe ist unverändert.' } }),
    'vertauschte Personen': (base) =>
      revise(base, 'C3', {
        before: 'Herr Yilmaz weist ein, eine Stunde lang, und vermerkt es im Ausweis.',
        after: 'Frau Albrecht weist ein.',
      }),
    'ein neuer Abschnitt': (base) =>
      revise(base, 'C3', {
        title: 'Zwei neue Abschnitte zur Sicherheit',
        summary: 'Zwei neue Abschnitte regeln die Einweisung.',
      }),
  },
  honest: {
    'the base': (base) => base,
    'mit anderen Worten': (base) =>
      revise(base, 'C2', {
        title: 'Mehr Maschinen, mehr Zeit, keine Gebühr',
        summary: 'Mitglieder dürfen mehr und länger ausleihen. Die Gebühr für Verspätungen entfällt.',
        before: 'Strenge Regeln.',
        after: 'Mildere Regeln.',
      }),
    'in Wochen': (base) => revise(base, 'C2', { summary: 'Die Leihfrist steigt von zwei auf drei Wochen.' }),
    'was bleibt': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'Schutzbrille und Gehörschutz bleiben Pflicht, und der Kontakt hat sich nicht geändert.',
        },
      }),
    'die Person': (base) =>
      revise(base, 'C3', {
        title: 'Wechsel bei der Einweisung',
        summary: 'Frau Albrecht wird nicht mehr genannt; Herr Yilmaz ist jetzt für beides zuständig.',
      }),
    'etwas länger': (base) =>
      conclude(base, { rationale: 'Das Handbuch ist etwas länger geworden, vor allem im Abschnitt Sicherheit.' }),
  },
}
