import type { Trick } from './trick.ts'

/** What speaks for the run, or for the one beside it. */
export const runTricks: readonly Trick[] = [
  ['growing the journal', 'echo x >> "$RUN/progress.ndjson"'],
  ['emptying the journal', ': > "$RUN/progress.ndjson"'],
  ['another request', 'echo x > "$RUN/request.json"'],
  ['another request, by a move', 'echo x > r && mv -f r "$RUN/request.json"'],
  ['another request, by a hard link', 'ln "$RUN/request.json" mine && echo x >> mine'],
  ['another plan', 'echo x > "$RUN/plan.json"'],
  ['a result', 'echo x > "$RUN/result.json"'],
  ['a result, by way of what is handed over', 'echo x > "$RUN/attempts/../result.json"'],
  ['a result, by a link in what is handed over', 'cd "$RUN/attempts"; ln -s ../result.json l; echo x > l'],
  ['a result, by a link to the run', 'ln -s "$RUN" l; echo x > l/result.json'],
  ['a note to oneself', 'echo {} > "$RUN/inbox/2.json"'],
  ['a note less', 'rm -f "$RUN/inbox/1.json"'],
  ['content of its own', 'echo x > "$RUN/artifacts/evil"'],
  ["the next owner's lease", 'echo {} > "$RUN/lease-2"'],
  ['nobody owns it', 'rm -f "$RUN"/lease-*'],
  ['rights for everyone', 'chmod 777 "$RUN"'],
  ['another folder to hand over in', 'mv "$RUN/attempts" "$RUN/old" && ln -s "$OUT" "$RUN/attempts"'],
  ['deleting the run', 'rm -rf "$RUN"'],
  ['moving the run away', 'mv "$RUN" elsewhere'],
  ['moving all runs away', 'all=$(dirname "$RUN"); mv "$all" "$all-old"'],
  ["another run's journal", 'echo x >> "$SIBLING/progress.ndjson"'],
  ['what another run hands over', 'echo x > "$SIBLING/attempts/S1-attempt-1.md"'],
  ['moving another run away', 'mv "$SIBLING" elsewhere'],
]
