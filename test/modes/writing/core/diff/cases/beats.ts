import { beatsTexts } from './beats-texts.ts'
import { add, change, conclude, type Fixture, revise } from './case.ts'

export const beats: Fixture = {
  name: 'chapter beats',
  ...beatsTexts,
  base: (hunk) => ({
    changes: [
      change({
        id: 'C1',
        hunks: hunk.of('foundation.md'),
        units: ['u1'],
        type: 'fact',
        magnitude: 'moderate',
        locator: 'Metadata and characters',
        title: 'Foundation: darker tone and an anti-hero',
        summary:
          'The tone is now dark and introspective, moral ambiguity joins the themes, and Marcus becomes an anti-hero.',
        before: 'A hopeful tone with Marcus as a hero.',
        after: 'A dark, introspective tone with Marcus as an anti-hero.',
        facts: [
          { entity: 'Marcus Vale', attribute: 'archetype', from: 'hero', to: 'anti-hero' },
          { entity: 'Metadata', attribute: 'tone', from: 'hopeful', to: 'dark, introspective' },
        ],
        why: 'The request asks for a darker chapter 3, and the foundation has to allow it.',
        evidence: [{ side: 'after', quote: 'Archetype: anti-hero' }],
      }),
      change({
        id: 'C2',
        hunks: hunk.of('chapter-03.md'),
        units: ['u4'],
        type: 'rewrite',
        magnitude: 'major',
        locator: 'Whole chapter',
        title: 'Chapter 3 rewritten as a moral low point',
        summary:
          'Marcus no longer wins in the open. He threatens Osric, sacrifices the brother and gets his arrest at a terrible price.',
        before: 'Marcus wakes refreshed, confronts the magistrate before witnesses and is celebrated.',
        after: 'Marcus wakes from a nightmare, threatens Osric with a knife and lets the brother burn.',
        why: 'Internal conflict now drives the chapter.',
        evidence: [
          { side: 'before', quote: 'Marcus wakes refreshed and walks to the court' },
          { side: 'after', quote: 'He lets the brother burn' },
        ],
      }),
      change({
        id: 'C3',
        hunks: [hunk('ash on his hands'), hunk('and distrusts it')],
        units: ['u3'],
        type: 'add',
        magnitude: 'minor',
        locator: 'Last event and emotional beat',
        title: 'Chapter 2: a dream foreshadows the guilt',
        summary: 'One key event is added, and the hope of the emotional beat is qualified.',
        before: 'Marcus feels hope for the first time in years.',
        after: 'He dreams of the warehouse and distrusts his hope.',
        why: 'It prepares chapter 3.',
        ripple_of: 'C2',
        depends_on: ['C2'],
        evidence: [{ side: 'after', quote: 'He wakes with ash on his hands' }],
      }),
      change({
        id: 'C4',
        hunks: [hunk('asks Marcus what he has done'), hunk('Two allies walk out'), hunk('no longer meet his eyes')],
        units: ['u5'],
        type: 'rewrite',
        magnitude: 'moderate',
        locator: 'Key events',
        title: 'Chapter 4: the allies react',
        summary: 'Livia questions Marcus, and two allies leave when he plans the raid.',
        before: 'Livia thanks Marcus and every ally follows him.',
        after: 'Livia asks what he has done and two allies walk out.',
        why: 'The choice of chapter 3 needs consequences.',
        ripple_of: 'C2',
        depends_on: ['C2'],
      }),
    ],
    impact: {
      tone: { from: 'hopeful', to: 'dark, introspective' },
      arcs: ['The redemption of Marcus is harder to earn.'],
      consistency: 'Chapters 5 to 8 are unchanged and still work with the new low point.',
    },
    risks: [
      {
        text: 'Chapter 8 lets Marcus forgive himself although nothing prepares it after the new chapter 3.',
        severity: 'high',
      },
    ],
    rationale: 'A real low point in chapter 3 makes the forgiveness of the last chapter matter.',
  }),
  lies: {
    'a hunk that does not exist': (base) => revise(base, 'C2', { hunks: ['h999'] }),
    'an unchanged chapter was rewritten': (base) =>
      revise(base, 'C4', {
        summary: 'Livia questions Marcus, two allies leave, and chapter 5 was rewritten so that the raid fails.',
      }),
    'no changes in chapters of which one changed': (base) =>
      conclude(base, { impact: { ...base.impact, consistency: 'There are no structural changes to chapters 4-8.' } }),
    'more events were added than there are': (base) =>
      revise(base, 'C3', {
        title: 'Chapter 2: three new key events',
        summary: 'Three key events are added to foreshadow the guilt.',
      }),
    'a fact whose new value is nowhere': (base) =>
      revise(base, 'C1', { facts: [{ entity: 'Marcus Vale', attribute: 'archetype', from: 'hero', to: 'trickster' }] }),
    'a fact whose old value was never there': (base) =>
      revise(base, 'C1', {
        facts: [{ entity: 'Metadata', attribute: 'tone', from: 'whimsical', to: 'dark, introspective' }],
      }),
    'a quote that nobody wrote': (base) =>
      revise(base, 'C2', { evidence: [{ side: 'after', quote: 'Marcus smiled as the flames took the roof' }] }),
    'a quote from the wrong side': (base) =>
      revise(base, 'C2', { evidence: [{ side: 'after', quote: 'The guard returns the sword to Marcus' }] }),
    'only wording changed in a rewritten chapter': (base) =>
      revise(base, 'C2', {
        magnitude: 'minor',
        title: 'Chapter 3: light polish',
        summary: 'Only minor wording changes; the events stay the same.',
      }),
    'the wrong number of files': (base) =>
      conclude(base, { rationale: 'All 9 files were changed so that the darker tone is consistent across the book.' }),
    'Osric was removed': (base) =>
      revise(base, 'C2', { summary: 'Osric was removed from the chapter, so that Marcus acts alone.' }),
    'gists that are swapped': (base) =>
      revise(base, 'C2', {
        before: 'Marcus wakes from a nightmare, threatens Osric with a knife and lets the brother burn.',
        after: 'Marcus wakes refreshed, confronts the magistrate before witnesses and is celebrated.',
      }),
    'hunks of another chapter': (base, hunk) =>
      revise(base, 'C4', {
        units: ['u7'],
        hunks: [hunk('Two allies walk out'), hunk('asks Marcus what he has done'), hunk('no longer meet his eyes')],
        title: 'Chapter 6: the allies react',
      }),
    'a change that is left out': (base) => ({ ...base, changes: base.changes.filter(({ id }) => id !== 'C4') }),
  },
  honest: {
    'the base': (base) => base,
    'other words for the rewrite': (base) =>
      revise(base, 'C2', {
        title: 'Complete rewrite: from public triumph to private guilt',
        summary:
          'The public victory of the old version is gone. Marcus now buys the arrest with a life, and nobody cheers.',
        before: 'A clear victory: cheers, a confession and his old post.',
        after: 'A victory that costs a life and leaves Marcus washing his hands.',
        locator: 'From the opening to the hook',
      }),
    'true counts': (base) =>
      conclude(base, {
        rationale:
          'Four of the nine files changed: the foundation and chapters 2, 3 and 4. The other five chapters are untouched.',
      }),
    'a true denial': (base) =>
      conclude(base, {
        impact: {
          ...base.impact,
          consistency: 'Nothing changed in chapter 1 or in chapters 5-8; the ledger subplot is intact.',
        },
      }),
    'a true number from the text': (base) =>
      revise(base, 'C2', {
        summary: 'The new ending shows Marcus alone, washing his hands three times while the smell of smoke stays.',
      }),
    'a rename of the chapter': (base) =>
      revise(base, 'C2', {
        title: 'Chapter 3 becomes "The Price of Silence"',
        summary: 'The chapter gets a new title, five new events instead of four, and a darker hook.',
      }),
    'an interpretation': (base) =>
      revise(base, 'C4', {
        title: 'Trust erodes among the allies',
        summary: 'Where gratitude and loyalty stood, there are questions and departures.',
        before: 'Gratitude and loyalty.',
        after: 'Suspicion and departures.',
        why: 'Choices need consequences, and the safe house is the first place where Marcus meets them.',
      }),
    'one change more, split finely': (base, hunk) =>
      add(
        revise(base, 'C3', {
          hunks: [hunk('ash on his hands')],
          summary: 'One key event is added at the end of the list.',
        }),
        {
          id: 'C5',
          hunks: [hunk('and distrusts it')],
          units: ['u3'],
          type: 'retone',
          magnitude: 'minor',
          title: 'Chapter 2: hope is qualified',
          summary: 'The emotional beat gains a doubt.',
          before: 'Plain hope.',
          after: 'Hope that he distrusts.',
          locator: 'Emotional Beat',
        },
      ),
  },
}
