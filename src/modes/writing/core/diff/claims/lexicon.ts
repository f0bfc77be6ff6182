// Words by which a sentence claims something that can be checked, in English and German. Only single words and their forms: a sentence
// is understood by how its subject and such a word stand to each other, not by its phrasing. Claims in other languages are checked by
// numbers, names, quotes and ids alone.

/** Makes a pattern from words. */
const list = (words: string): string => words.trim().split(/\s+/).join('|')

/** What a sentence may say about a part of the work. */
export const predicates = {
  changed:
    list(`changed rewritten revised reworked altered modified edited updated overhauled replaced expanded extended lengthened
    shortened condensed trimmed restructured reorgani[sz]ed adjusted merged split renamed retitled geändert verändert umgeschrieben überarbeitet angepasst erweitert
    gekürzt ersetzt bearbeitet umbenannt zusammengelegt geteilt`),
  unchanged: list('unchanged untouched unaltered unmodified intact unverändert unberührt unangetastet'),
  removed: list(
    'removed deleted cut dropped gone eliminated excised gestrichen entfernt gelöscht weggefallen verschwunden',
  ),
  added: list('added new introduced inserted hinzugefügt neu ergänzt eingefügt'),
} as const
export type Predicate = keyof typeof predicates

/** Said of something that stays: `is the same`. */
export const sameWords = list('same identical gleich identisch')
/** Only with a negation: `did not change`, `was not touched`. */
export const deniedWords = list('change touched affected angefasst berührt')

/** Said of what is still there. */
export const keptWords = list('kept preserved retained unchanged untouched intact behalten erhalten unverändert')

/** Verbs whose object comes or goes: `adds three scenes`. */
export const addVerbs = list('adds? added adding inserts? inserted introduces? introduced ergänzt fügt')
export const removeVerbs = list(
  'removes? removed removing deletes? deleted drops? dropped cuts? streicht entfernt löscht',
)
export const newWords = list('new additional further neue?[nrs]? weitere[nrs]? zusätzliche[nrs]?')

/** Words that may stand between a subject and what is said about it. */
export const fillers =
  list(`is are was were be been being has have had do does did remains? stays? stayed remained now also still
  completely entirely largely mostly nearly almost fully heavily lightly slightly substantially all both then therefore ist sind war
  waren wurden? wird werden worden bleibt bleiben blieb blieben jetzt nun auch noch weiterhin komplett völlig ganz stark leicht
  weitgehend fast the der die das`)
export const negations =
  list(`not never no nothing none neither nor without hardly isn't aren't wasn't weren't didn't nicht kein
  keine[nmrs]? nichts nie ohne`)

/** A sentence with such a word is about what could be. */
export const possibilities =
  list(`would should could may might must needs? if unless will shall soll sollen sollte[nt]? könnten?
  müssten? würden? falls wenn`)

/** Words that leave room for exceptions. */
export const hedges =
  list(`except apart aside besides otherwise mostly largely nearly almost essentially basically broadly much außer
  abgesehen ansonsten sonst weitgehend größtenteils fast nahezu bis kaum`)

/** "All other chapters" are those that nobody spoke of. */
export const otherWords = list('other others remaining rest übrigen anderen restlichen')

/** Words that name the other side beside the one that is spoken of. */
export const contrastWords =
  list(`instead rather than from formerly previously no not longer nobody none without until yet replaces
  replaced statt anstatt von vorher früher bisher nicht mehr kein keine niemand ohne ersetzt`)

/** Nouns for a change. */
export const changeNouns =
  list(`changes? edits? revisions? rewrites? rewriting modifications? alterations? adjustments? tweaks? änderung
  änderungen überarbeitung überarbeitungen anpassung anpassungen eingriffe?`)
/** Adjectives that call a change small, and what would be small. */
export const smallWords =
  list(`minor small slight slightly light tiny few minimal cosmetic stylistic subtle kleinere? kleine[nr]?
  leichte? geringe geringfügige? minimale? sprachliche`)
export const polishNouns =
  list(`changes? edits? polish polished polishing tweaks? wording words? adjustments? phrasing touches
  änderungen anpassungen formulierungen korrekturen`)
/** Words that call a change large. */
export const largeWords = list(
  'rewrites? rewritten complete completely entire entirely overhaul umgeschrieben vollständig komplett',
)

export const onlyWords = list('only solely just merely nur lediglich ausschließlich')
export const allWords = list('all every each alle sämtliche jedes jeder jede')

/** Nouns for the work as a whole, and for a unit of it that is not named. */
export const wholeNouns =
  list(`document text book novel story serial treatment manuscript draft version premise chapter dokument buch
  roman geschichte fassung manuskript kapitel`)
export const longerWords = list(
  '(?<!no\\s)longer expanded extended lengthened (?<!nicht\\s)länger erweitert verlängert ausgebaut',
)
export const shorterWords = list('shorter shortened condensed trimmed kürzer gekürzt gestrafft verkürzt')
/** Said of a number of words. */
export const growWords = list(
  'rises? rose grows? grew increases? increased up more steigt wächst gestiegen gewachsen mehr',
)
export const shrinkWords = list(
  'falls? fell shrinks? shrank decreases? decreased drops? dropped down fewer less sinkt schrumpft weniger',
)

/** Parts of a text that code can count. */
export const countedNouns = {
  heading: list('headings? subheadings? sections? überschrift überschriften abschnitte?n?'),
  scene: list('scenes? szenen?'),
  paragraph: list('paragraphs? absatz absätze'),
  sentence: list('sentences? satz sätze'),
  file: list('files? dateie?n?'),
  word: list('words wörter wörtern'),
} as const

export const beginWords = list('opening beginning start anfang beginn auftakt eröffnung')
export const endWords = list('ending end close conclusion finale ende schluss')

/** Said of passages that stand elsewhere now. `moved` alone may be a feeling. */
export const movedPattern = `(?:relocated|reordered|rearranged|transposed|verschoben|umgestellt|vertauscht|moved\\s+(?:from|into|earlier|later|forward|before|after|behind|to\\s+(?:the\\s+)?(?:start|end|beginning|front|first|second|third|last|next|previous|chapter|act|scene|section)))`

export const renameWords = list('renamed retitled rename umbenannt heißt')
export const everywhereWords = list('everywhere throughout all every consistently überall durchgehend alle')

/** Words that begin a phrase about a noun: what follows is not its name. */
export const prepositions = list(
  'of with from in on at by about for to who which that von mit aus im am bei für zu über des',
)
export const articles =
  list(`the a an its his her their this that der die das den dem des ein eine einen einem einer sein seine ihr
  ihre`)

/** Nouns that a number may follow: `act two`. */
export const numberedNouns =
  list(`act scene part chapter section line page step point book volume episode verse version attempt akt
  szene teil kapitel abschnitt zeile seite schritt punkt band folge`)

/** Words for a measure, what it measures, and its size in the smallest of that kind. */
export const measures: readonly (readonly [words: string, kind: string, size: number])[] = [
  [list('seconds? sekunden?'), 'time', 1],
  [list('minutes? minuten?'), 'time', 60],
  [list('hours? stunden?'), 'time', 3600],
  [list('days? tage?n?'), 'time', 86_400],
  [list('weeks? wochen?'), 'time', 604_800],
  [list('months? monate?n?'), 'month', 1],
  [list('years? jahre?n?'), 'month', 12],
  [list('decades? jahrzehnte?n?'), 'month', 120],
  [list('miles? meilen?'), 'mile', 1],
  [list('met(?:er|re)s? metern'), 'metre', 1],
  [list('kilomet(?:er|re)s? kilometern'), 'metre', 1000],
]
