/** The journal format that this program reads and writes; others are refused. docs/journal.md says how an older one would be lifted. */
export const journalVersion = 2
