import * as fs from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { iterate } from '../../src/index.ts'
import { computeDiff } from '../../src/modes/writing/core/diff/compute.ts'
import { digestHistory } from '../../src/modes/writing/core/history.ts'
import { contradictsItself, decideTie } from '../../src/modes/writing/core/judge.ts'
import { beats, file, newNovel } from '../modes/writing/support/novel.ts'
import { createWriterModel } from '../modes/writing/support/writer-model.ts'
import {
  novelType,
  type Played,
  playFullWorkflow,
  playOutage,
  playPicks,
  playSession1,
  playSession2,
  playSession3,
  playTargets,
} from './003-sessions.ts'

// Seed 003, line by line. The ids are those of its checklist. Screens come from a real pseudo-terminal with the scripted model.

const has = (played: () => Played, text: string) => (): void => expect(played().screen).toContain(text)

describe('the whole workflow, in the full view', () => {
  let played: Played
  beforeAll(async () => {
    played = await playFullWorkflow()
  }, 120_000)
  const screen = (): string => played.screen
  const shows = (text: string) => has(() => played, text)

  describe('core', () => {
    test('003-C01: a text that is not a command is feedback for the current target', () => {
      expect(screen()).toMatch(
        /> Make chapter 3 darker with more internal conflict\n[\s\S]*\[Generating chapters\.\.\. Attempt 1\]/,
      )
    })
    test('003-C02: the person writes plain language, and the model is given it as it is', () => {
      expect(played.prompts('write')[0]).toContain('Make chapter 3 darker with more internal conflict')
    })
    test('003-C03: a judge validates each attempt before the person reviews it', () => {
      expect(played.prompts('judge')).toHaveLength(3)
      expect(screen().indexOf('Judge verdict: ✓ APPROVED')).toBeLessThan(screen().indexOf('ITERATION SUMMARY'))
    })
    test('003-C04: the prompt has the upstream texts and the history', () => {
      const [prompt] = played.prompts('write')
      expect(prompt).toContain('A watchman must find out who rings the bells')
      expect(prompt).toContain('A watchman who let a warehouse burn')
      expect(prompt).toContain('Add redemption arc in act 3')
      expect(prompt).toContain('Added redemption arc: chapters 11-15 modified')
    })
    test('003-C05: the level is regenerated as a whole; files that nothing touches stay as they are, byte for byte', () => {
      for (let number = 8; number <= 15; number += 1) {
        const path = `chapter-beats/chapter-${String(number).padStart(2, '0')}.md`
        expect(played.after(path)).toBe(played.before(path))
      }
      expect(played.after('chapter-beats/chapter-03.md')).not.toBe(played.before('chapter-beats/chapter-03.md'))
    })
    test('003-C06: nothing is written before the person has approved the semantic diff', () => {
      expect(played.atApproval).toBe(played.before('chapter-beats/chapter-03.md'))
    })
    test('003-C07: the iteration is one git commit', () => {
      expect(played.commits).toEqual(['[chapters] Make chapter 3 darker with more internal conflict', 'Import'])
    })
  })

  describe('1 feedback, 2 downstream', () => {
    test('003-W01: one line of feedback', shows('> Make chapter 3 darker with more internal conflict'))
    test('003-W10: downstream levels are checked before generation', () => {
      expect(screen().indexOf('Downstream content')).toBeLessThan(
        screen().indexOf('[Generating chapters... Attempt 1]'),
      )
    })
    test('003-W11: the warning', shows('⚠️  Downstream content will be affected:'))
    test('003-W12: prose with its count', shows('  • Prose (8 chapters generated from current chapters)'))
    test('003-W13: analysis with its count', shows('  • Analysis (3 analysis reports)'))
    test('003-W14: the question', shows('Action: (cull-all/keep-all/cancel): cull-all'))
    test('003-W15: cull-all deletes all downstream files', () => {
      expect(played.list('chapters')).toEqual([])
      expect(played.list('analysis')).toEqual([])
    })
  })

  describe('3 the judge loop', () => {
    test('003-J01', shows('[Generating chapters... Attempt 1]'))
    test(
      '003-J02: what the model is given',
      shows('taxonomy, treatment, foundation, 15 chapters, 3 previous iterations'),
    )
    test('003-J03', shows('  • Feedback: "Make chapter 3 darker with more internal conflict"'))
    test('003-J04', shows('[████████████████████████] 100%'))
    test('003-J05', shows('✓ Generated (saved to debug/)'))
    test('003-J06', shows('[Running validation judge...]'))
    test('003-J07: both verdicts', () => {
      expect(screen()).toContain('Judge verdict: ✗ NEEDS REVISION')
      expect(screen()).toContain('Judge verdict: ✓ APPROVED')
    })
    test('003-J08: the feedback of the judge, in quotes', () => {
      expect(screen()).toMatch(/Judge feedback:\n {2}"Chapter 3 tone is still optimistic\./)
    })
    test('003-J09', shows('Continue with judge feedback? (yes/no/view-partial'))
    test('003-J10: attempt 2', () => {
      expect(screen()).toMatch(
        /Attempt 2\]\n {2}• Context: Same as attempt 1\n {2}• Feedback: Original \+ Judge feedback\n/,
      )
    })
    test('003-J11: attempt 3', shows('  • Feedback: Original + Judge feedback (cumulative)'))
    test('003-J12', () => expect(screen()).toMatch(/Judge reasoning:\n {2}"Chapter 3 successfully darkened\./))
    test('003-J14: an attempt is given the feedback and everything that the judge has said', () => {
      const third = played.prompts('write')[2]!
      expect(third).toContain('Make chapter 3 darker with more internal conflict')
      expect(third).toContain('Attempt 1: Chapter 3 tone is still optimistic')
      expect(third).toContain('Attempt 2: Improvement - darker imagery present')
    })
    test('003-J15: all attempts are in the debug folder', () => {
      expect(played.debug.filter((name) => name.endsWith('raw.md'))).toEqual([
        'attempt_1_raw.md',
        'attempt_2_raw.md',
        'attempt_3_raw.md',
      ])
    })
    test('003-J16: yes writes again', shows('[Generating chapters... Attempt 3]'))
  })

  describe('4 the semantic diff', () => {
    test('003-S01', () => {
      expect(screen()).toContain(
        '[Generating semantic diff...]\n  • Comparing: Old vs New content\n  • Context: User feedback + iteration history\n  • Analysis: What changed and why\n',
      )
    })
    test('003-S02', () => expect(screen()).toMatch(/━{40,}\nITERATION SUMMARY\n━{40,}\n/))
    test('003-S03', shows('User feedback:\n  "Make chapter 3 darker with more internal conflict"'))
    test('003-S04', shows('Judge attempts: 3 (approved on attempt 3)'))
    test('003-S05', shows('CHANGES TO CHAPTERS:'))
    test('003-S06: the foundation, from old to new', () => {
      expect(screen()).toContain('Foundation (metadata, characters, world):')
      expect(screen()).toContain('  ✓ Protagonist archetype: hero → anti-hero')
    })
    test('003-S07', shows('Major changes (★★★):'))
    test('003-S08: before and after', () => {
      expect(screen()).toContain('Before: Marcus wakes in a hopeful morning')
      expect(screen()).toContain('After:  Marcus wakes from a nightmare')
    })
    test('003-S09', shows('Tone shift: hopeful → nightmarish'))
    test('003-S10: the word count is computed', () => expect(screen()).toMatch(/Word count: \+\d+%/))
    test('003-S11', shows('Moderate changes (★★):'))
    test('003-S12: minor changes, with chapters in groups', () => {
      expect(screen()).toContain('Minor changes (★):')
      expect(screen()).toContain('• Chapters 1, 5-7:')
      expect(screen()).toContain('• Chapters 8-15:')
    })
    test('003-S13', shows('Files changed: 8 of 16 (foundation + 7 chapters)'))
    test('003-S14', () => {
      const lines = Number(/Lines changed: ±(\d+)/.exec(screen())?.[1])
      expect(lines).toBe(played.numstat)
    })
    test('003-S15', () => {
      expect(screen()).toContain('• Arc impact: Redemption is harder-earned')
      expect(screen()).toContain('• Tone: Shifted from hopeful to nightmarish')
      expect(screen()).toContain('• Consistency: Maintained')
    })
    test('003-S16', shows('Why these changes work:'))
    test('003-S17', () =>
      expect(screen()).toMatch(/View detailed text diff\? \(foundation\/.*chapter-3\/.*all\/skip\): /))
    test('003-S18: a model writes it for people', () => expect(played.prompts('describe')).toHaveLength(1))
    test('003-S19: foundation, then major, moderate and minor', () => {
      const order = ['Foundation (', 'Major changes', 'Moderate changes', 'Minor changes'].map((text) =>
        screen().indexOf(text),
      )
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    })
    test('003-S20: before and after in plain English', shows('After:  Marcus wakes from a nightmare'))
    test('003-S21: why, with the history', () => {
      expect(screen()).toContain('The darkness makes the redemption arc harder-earned.')
      expect(played.prompts('describe')[0]).toContain('Add redemption arc in act 3')
    })
    test('003-S22: details of one file only', () => {
      expect(screen()).toContain('Chapter 3: Detailed Changes')
      expect(screen()).not.toContain('Chapter 4: Detailed Changes')
    })
    test('003-S23', shows('━━━ Chapter 3: Detailed Changes ━━━'))
    test('003-S24: sections with line numbers', () => expect(screen()).toMatch(/Opening \(Lines? \d+(-\d+)?\):/))
    test('003-S25', () => {
      expect(screen()).toMatch(/ {2}OLD:\n {4}- Marcus wakes in a hopeful morning/)
      expect(screen()).toMatch(/ {2}NEW:\n {4}- Marcus wakes in a nightmarish morning/)
    })
    test('003-S26', shows("Press Enter for next section, 'q' to return to summary: "))
  })

  describe('5 approval, 6 finalization', () => {
    test('003-P01', shows('Accept these changes? (yes/no/diff): yes'))
    test('003-P02: yes saves all changes', () =>
      expect(played.after('chapter-beats/chapter-03.md')).toContain('nightmarish'))
    test('003-P04: diff shows the summary again', () => expect(screen().split('ITERATION SUMMARY')).toHaveLength(3))
    test('003-P05', shows('[Finalizing iteration...]'))
    test('003-P06', shows('  ✓ Chapter beats saved (16 files)'))
    test('003-P07', shows('  ✓ Iteration history updated (4 total iterations)'))
    test('003-P08', shows('  ✓ Prose culled (8 chapters deleted)'))
    test('003-P09', shows('  ✓ Git commit: "[chapters] Make chapter 3 darker with more internal conflict"'))
    test('003-P10', shows('✓ Iteration complete (3 judge attempts, approved)'))
    test('003-P11', shows('To review full diff: git diff HEAD~1'))
    test('003-P12', shows('To undo iteration: /undo'))
    test('003-P13', shows('[Iteration target: chapters]\nReady for next iteration.'))
  })

  describe('history', () => {
    const entries = (): Record<string, unknown>[] =>
      (JSON.parse(played.after('chapter-beats/iteration_history.json')) as { iterations: Record<string, unknown>[] })
        .iterations
    test('003-H01, 003-H02: in the folder of the level', () =>
      expect(played.list('chapter-beats')).toContain('iteration_history.json'))
    test('003-H02: each level has its own', () => {
      expect(novelType().map(({ folder }) => folder)).toEqual(['premise', 'treatment', 'chapter-beats', 'chapters'])
    })
    test('003-H03: newest first', () => {
      expect(entries()).toHaveLength(4)
      expect(entries()[0]).toMatchObject({ feedback: 'Make chapter 3 darker with more internal conflict' })
    })
    test('003-H04', () => expect(entries()[0]!.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/))
    test('003-H05', () => expect(entries()[0]!.feedback).toBe('Make chapter 3 darker with more internal conflict'))
    test('003-H06', () => expect(entries()[0]!.judge_attempts).toBe(3))
    test('003-H07', () => expect(entries()[0]!.judge_verdict).toBe('approved'))
    test('003-H08', () => expect(entries()[0]!.judge_reasoning).toMatch(/^Chapter 3 successfully darkened\./))
    test('003-H09', () => expect(entries()[0]!.semantic_summary).toContain('Complete rewrite'))
    test('003-H10: null in the newest entry, found by its trailer', () => {
      expect(entries()[0]!.commit_sha).toBeNull()
      expect(played.trailer).toBe(entries()[0]!.iteration_id)
    })
    test('003-H11', () => expect(entries()[0]!.files_changed).toBe(8))
    test('003-H12', () => expect(entries()[0]!.lines_changed).toBe(played.numstat))
    test('003-H13: in every prompt, oldest first', () => {
      const [prompt] = played.prompts('write')
      const order = ['Make protagonist more flawed', 'Add redemption arc in act 3', 'More bells'].map((text) =>
        prompt!.indexOf(text),
      )
      expect(order.every((at) => at > 0)).toBe(true)
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    })
    test('003-H14: taxonomy, treatment, foundation, chapters and the history are in the prompt', () => {
      const [prompt] = played.prompts('write')
      for (const text of ['# Taxonomy', 'treatment/treatment.md', 'foundation.md', 'chapter-15.md', 'Asked:', 'Done:'])
        expect(prompt).toContain(text)
    })
  })

  describe('debug storage', () => {
    const read = (name: string): string => played.readDebug(name)
    test('003-B01', () =>
      expect(played.debugFolder).toMatch(/^\.agentic\/debug\/my-novel\/iteration_chapters_\d{8}_\d{6}/))
    test('003-B02', () => expect(read('attempt_1_raw.md')).toContain('grey'))
    test('003-B03', () => expect(played.debug).toContain('attempt_1_judge_verdict.json'))
    test('003-B04', () => expect(read('final_semantic_diff.md')).toContain('ITERATION SUMMARY'))
    test('003-B05', () => expect(read('user_decision.txt').trim()).toBe('accepted'))
    test('003-B06', () => {
      expect(JSON.parse(read('attempt_1_judge_verdict.json'))).toMatchObject({ verdict: 'needs_revision' })
      expect(JSON.parse(read('attempt_3_judge_verdict.json'))).toMatchObject({ verdict: 'approved' })
    })
    test('003-B07', () =>
      expect(JSON.parse(read('attempt_1_judge_verdict.json')).reasoning).toMatch(/still optimistic/))
    test('003-B08', () =>
      expect(JSON.parse(read('attempt_1_judge_verdict.json')).specific_issues).toEqual([
        'Opening scene lacks darkness',
      ]))
    test('003-B09', () =>
      expect(JSON.parse(read('attempt_1_judge_verdict.json')).suggestions).toEqual([
        'Add nightmare or flashback opening',
      ]))
    test('003-B10: one folder has everything needed to look into it later', () => {
      expect(played.debug).toEqual([
        'attempt_1_judge_verdict.json',
        'attempt_1_raw.md',
        'attempt_2_judge_verdict.json',
        'attempt_2_raw.md',
        'attempt_3_judge_verdict.json',
        'attempt_3_raw.md',
        'final_semantic_diff.md',
        'user_decision.txt',
      ])
    })
  })

  describe('prompts', () => {
    const template = (name: string): string =>
      fs.readFileSync(join(import.meta.dirname, '../../src/modes/writing/types/default/prompts', name), 'utf8')
    test('003-Q01, 003-Q06: judge and semantic diff are templates', () => {
      expect(template('judge.liquid').length).toBeGreaterThan(100)
      expect(template('describe.liquid').length).toBeGreaterThan(100)
    })
    test('003-Q02: the judge is given feedback, history, old, new and upstream', () => {
      const [prompt] = played.prompts('judge')
      for (const text of [
        'Make chapter 3 darker',
        'Add redemption arc',
        'hopeful morning',
        'grey morning',
        'A watchman must find out',
      ])
        expect(prompt).toContain(text)
    })
    test('003-Q03: and answers with a verdict, a reasoning, issues and suggestions', () => {
      expect(Object.keys(JSON.parse(played.readDebug('attempt_1_judge_verdict.json'))).slice(0, 4)).toEqual([
        'verdict',
        'reasoning',
        'specific_issues',
        'suggestions',
      ])
    })
    test('003-Q04: at temperature 0.1', () => expect(played.temperatures('judge')).toEqual([0.1, 0.1, 0.1]))
    test('003-Q05: five criteria', () => {
      const [prompt] = played.prompts('judge')
      for (const number of [1, 2, 3, 4, 5]) expect(prompt).toMatch(new RegExp(`^${number}\\. \\w+: `, 'm'))
    })
    test('003-Q07: the diff is given feedback, history, old, new, verdict and reasoning', () => {
      const [prompt] = played.prompts('describe')
      for (const text of [
        'Make chapter 3 darker',
        'Add redemption arc',
        'OLD: ',
        'NEW: ',
        'Chapter 3 successfully darkened',
      ])
        expect(prompt).toContain(text)
    })
    test('003-Q08: the stored diff is Markdown that people read', () =>
      expect(played.readDebug('final_semantic_diff.md')).toContain('• '))
    test('003-Q09: at temperature 0.3', () => expect(played.temperatures('describe')).toEqual([0.3]))
    test('003-Q10: magnitude, before and after, why, figures, risks', () => {
      const [prompt] = played.prompts('describe')
      for (const text of [
        '"magnitude"',
        '"before", "after"',
        '"why"',
        'as computed',
        'what may be inconsistent or lost now',
      ])
        expect(prompt).toContain(text)
      expect(screen()).toContain('Risks:\n  • Chapter 9 still expects a hero')
    })
  })

  describe('success criteria', () => {
    test('003-K01', shows('Judge verdict: ✓ APPROVED'))
    test('003-K02', shows('Accept these changes? (yes/no/diff): yes'))
    test('003-K03: upstream files stay as they are', () =>
      expect(played.after('treatment/treatment.md')).toBe(played.before('treatment/treatment.md')))
    test('003-K04', () =>
      expect(played.after('chapter-beats/iteration_history.json')).toContain('"semantic_summary": "'))
    test('003-K05: the commit can be taken back', () =>
      expect(played.afterUndo).toBe(played.before('chapter-beats/chapter-03.md')))
  })
})

describe('targets', () => {
  let played: Played
  beforeAll(async () => {
    played = await playTargets()
  }, 120_000)
  const shows = (text: string) => has(() => played, text)
  const level = (id: string) => novelType().find((one) => one.id === id)!

  test('003-T01', () =>
    expect(level('premise')).toMatchObject({
      file: 'premise_metadata.json',
      context: ['taxonomy'],
      downstream: ['treatment', 'chapters', 'prose'],
    }))
  test('003-T02', () =>
    expect(level('treatment')).toMatchObject({
      file: 'treatment.md',
      context: ['premise', 'taxonomy'],
      downstream: ['chapters', 'prose'],
    }))
  test('003-T03', () =>
    expect(level('chapters')).toMatchObject({
      folder: 'chapter-beats',
      lead: 'foundation.md',
      context: ['premise', 'taxonomy', 'treatment'],
      downstream: ['prose'],
    }))
  test('003-T04', () =>
    expect(level('prose')).toMatchObject({
      folder: 'chapters',
      context: ['premise', 'treatment', 'chapters'],
      downstream: [],
    }))
  test('003-T05: the target follows the last generation', () => {
    const targets = [...played.screen.matchAll(/generated\n\[Iteration target: (\w+)\]/g)].map(([, target]) => target)
    expect(targets).toEqual(['premise', 'treatment', 'chapters'])
  })
  test('003-T06', () => {
    for (const target of ['premise', 'treatment', 'chapters'])
      expect(played.screen).toContain(`generated\n[Iteration target: ${target}]`)
  })
  test('003-T07', shows('> /iterate treatment\n[Iteration target: treatment]'))
  test('003-T08', shows('[Current iteration target: treatment]'))
  test('003-T09', shows('[Iteration history: 0 iterations]'))
  test('003-T10', shows('[Error: No iteration target set. Generate content first with /generate]'))
  test('003-T11', shows('[Error: Invalid target. Valid targets: premise, treatment, chapters, prose]'))
  test('003-T12', shows('[Error: No chapters found. Generate chapters first with /generate chapters]'))
  test('003-W02, 003-W03: a paste of several lines is one feedback, with its line breaks; Enter sends it', () => {
    expect(played.prompts('write').some((prompt) => prompt.includes('First line.\nSecond line.\nThird line.'))).toBe(
      true,
    )
  })
  test('003-W04: feedback of any length', () =>
    expect(played.prompts('write').some((prompt) => prompt.includes('x'.repeat(5000)))).toBe(true))
  test('003-W05: an empty input does nothing', () => expect(played.screen).toContain('> \n> '))
  test('003-W16: keep-all keeps the files and marks them as stale', () =>
    expect(played.screen).toMatch(/chapters +stale/))
  test('003-W17: cancel ends it before anything is generated', shows('Cancelled. Nothing was changed.'))
  test('003-W18: there is no choice to cull some of them', () => expect(played.screen).not.toContain('cull-some'))
  test('003-J13: no attempt is the last one', shows('Attempt 6]'))
  test('003-J17: no ends the loop and goes to the diff', () =>
    expect(played.screen).toMatch(/Attempt 6\][\s\S]*edit\): no\n[\s\S]*\(not approved\)/))
  test(
    '003-J18: view-partial shows the diff of this attempt, then asks',
    shows('[Generating semantic diff of attempt 1...]'),
  )
  test('003-P03: no rejects, and the text stays as it was', () => {
    expect(played.screen).toContain('✗ Changes rejected. Nothing was saved.')
    expect(played.debugDecisions).toContain('rejected')
  })
  test('003-Q14: a session begins without a target', () =>
    expect(played.screen.indexOf('No iteration target set')).toBeGreaterThan(0))
  test('003-Q15: the target is named after a generation', shows('[Iteration target: premise]'))
  test(
    '003-Q16: a slash begins a command, everything else is feedback',
    shows('[Error: Unknown command /generat. Did you mean /generate'),
  )
  test('003-Q17: /iterate sets or shows', shows('[Current iteration target: treatment]'))
})

describe('session 1: iterating on chapters, in the compact view', () => {
  let played: Played
  beforeAll(async () => {
    played = await playSession1()
  }, 120_000)
  const shows = (text: string) => has(() => played, text)

  test('003-E01: agentic starts the REPL', () => expect(played.program).toBe('agentic'))
  test('003-E02', shows('> /open my-novel'))
  test('003-E03', shows('Project: my-novel (fantasy, 80k words, 15 chapters)'))
  test('003-E04', shows('✓ Chapters generated'))
  test('003-E05', shows('⚠️ Prose exists (8 chapters)\n   Cull all downstream? (yes/no/cancel): yes'))
  test('003-E06: the judge in one line, and a second attempt without a question', () => {
    expect(played.screen).toContain(
      '✓ Generated\n[Judge: ✗ "Tone still optimistic"]\n\n[Generating chapters... Attempt 2]\n✓ Generated\n[Judge: ✓ "Approved"]',
    )
  })
  test('003-E07', shows('Major changes: Chapter 3 rewritten with darker tone\nAccept? (yes/no/diff): yes'))
  test('003-E08: the second feedback meets no downstream question', () => {
    const second = played.screen.slice(played.screen.indexOf('Also make chapter 7'))
    expect(second).not.toContain('Cull')
    expect(second).toContain('Moderate changes: Chapter 7 shows consequences')
  })
  test('003-E09', shows('Project: my-novel\nIteration target: chapters\nIterations: 2 on chapters'))
  test('003-N02: 15 chapters and a foundation', () =>
    expect(played.list('chapter-beats').filter((name) => name.endsWith('.md'))).toHaveLength(16))
})

describe('session 2: switching targets', () => {
  let played: Played
  beforeAll(async () => {
    played = await playSession2()
  }, 120_000)
  const shows = (text: string) => has(() => played, text)

  test(
    '003-E10',
    shows('[Iteration target: treatment]\n[Loaded: premise, treatment, taxonomy]\n[History: 1 previous iteration]'),
  )
  test('003-E11', shows('⚠️ Downstream: chapters (16), prose (8)\n   Cull all? (yes/no/cancel): yes'))
  test(
    '003-E12: after the cull the target is set, and the error says what to do',
    shows('[Iteration target: chapters]\n[Error: No chapters found. Generate chapters first with /generate chapters]'),
  )
  test('003-E13: chapters are generated from the new treatment', () => {
    expect(played.prompts('generate').some((prompt) => prompt.includes('betrayal subplot'))).toBe(true)
    expect(played.screen).toContain('✓ Chapters generated')
  })
})

describe('session 3: the judge loop with decisions', () => {
  let played: Played
  beforeAll(async () => {
    played = await playSession3()
  }, 120_000)
  test('003-E14', () => {
    expect(played.screen).toMatch(/Continue\? \(yes\/no\/view-partial[^)]*\): view-partial\n/)
    expect(played.screen).toContain(
      '[Semantic diff for attempt 1...]\nChanges: Final chapter has open-ended questions but still resolves main plot',
    )
    expect(played.screen).toMatch(/View full\? \(yes\/no\): no\nContinue with judge feedback\? \(yes\/no[^)]*\): yes/)
  })
  test(
    '003-E15',
    has(() => played, '✓ Iteration complete (3 attempts)'),
  )
})

describe('phases, open questions and conclusion', () => {
  const estimateTokens = (text: string): number => Math.ceil(text.length / 4)
  const entries = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      timestamp: '2026-01-01T00:00:00Z',
      feedback: `Feedback ${count - at}`,
      judge_attempts: 1,
      judge_verdict: 'approved' as const,
      judge_reasoning: '',
      semantic_summary: 'Something changed in several chapters, and the tone is another one.',
      commit_sha: null,
      files_changed: 1,
      lines_changed: 1,
    }))
  let outage: Played
  let picks: Played
  let session: Played
  beforeAll(async () => {
    ;[outage, picks, session] = await Promise.all([playOutage(), playPicks(), playSession1()])
  }, 120_000)

  test('003-H15, 003-N03: a model with 200,000 tokens is given 50 and more iterations in full', () => {
    expect(digestHistory(entries(120), { tokens: 25_000, estimateTokens })).toMatchObject({ omitted: 0 })
  })
  test('003-M31, 003-F25, 003-O01: beyond the budget it is a digest', () => {
    const { lines, omitted } = digestHistory(entries(2000), { tokens: 5000, estimateTokens })
    expect(estimateTokens(JSON.stringify(lines))).toBeLessThan(5500)
    expect(omitted).toBeGreaterThan(0)
  })
  test('003-Q11: coordinator, judge, semantic diff and history are modules of their own', () => {
    const modules = ['start/start.ts', 'core/judge.ts', 'core/diff/compute.ts', 'core/history.ts']
    const root = join(import.meta.dirname, '../../src/modes/writing')
    expect(modules.filter((name) => !fs.existsSync(join(root, name)))).toEqual([])
  })
  test('003-Q12, 003-Q13: iterate(target, feedback, cull) does the five steps and returns the result', async () => {
    const novel = newNovel({ prose: 1 })
    const model = createWriterModel({ plan: () => [{ name: file(3) }] })
    const steps: string[] = []
    const result = await iterate('chapters', 'Make chapter 3 darker', {
      project: novel.folder,
      cullDownstream: true,
      model: 'writer',
      models: { writer: model },
      env: novel.env,
      onEvent: (event) => {
        if (event.type === 'attempt-started') steps.push(event.task!)
        if (event.type === 'verdict-reached' && !event.chore) steps.push('judge')
      },
    })
    expect(steps).toEqual(['revise-1', 'judge', 'describe-1', 'finalize'])
    expect(result).toMatchObject({
      target: 'chapters',
      judge_verdict: 'approved',
      commit: novel.git('rev-parse', 'HEAD'),
    })
  })

  test('003-M11: the target is tracked', () => expect(session.screen).toContain('[Iteration target: chapters]'))
  test('003-M12: the context is loaded', () =>
    expect(session.prompts('write')[0]).toContain('A watchman must find out'))
  test('003-M13: the loop has a judge', () => expect(session.screen).toContain('[Judge: ✗ "Tone still optimistic"]'))
  test('003-M14: there is a semantic diff', () => expect(session.screen).toContain('[Semantic diff...]'))
  test('003-M15: the person approves', () => expect(session.screen).toContain('Accept? (yes/no/diff): yes'))
  test('003-M16: the history is stored', () =>
    expect(session.after('chapter-beats/iteration_history.json')).toContain('Also make chapter 7'))
  test('003-M17: debug files are stored', () => expect(session.debug).toContain('attempt_1_raw.md'))
  test('003-M21: single passages can be viewed', () => expect(picks.screen).toContain('Chapter 5: Detailed Changes'))
  test('003-M22: a provider that fails is asked about, and nothing is lost', () => {
    expect(outage.screen).toContain('✗ No answer:')
    expect(outage.screen).toMatch(/Try again\? \(retry\/wait\/abort\): retry/)
    expect(outage.screen).toContain('✓ Iteration complete (1 judge attempt, approved)')
    // The plan was answered before the outage, and is not asked for again.
    expect(outage.prompts('plan')).toHaveLength(1)
  })
  test('003-M23: progress is shown while a model writes', () => expect(outage.raw).toMatch(/writing chapters \d+s/))
  test('003-M24: statistics', () => {
    expect(outage.screen).toMatch(/Iterations: 1 accepted, 0 rejected\nAttempts until approval: 1\.0/)
  })
  test('003-M32, 003-O02: a second judge decides when the first contradicts itself', () => {
    const rating = (met: 'yes' | 'no') => ({ met, why: '' })
    const reply = (met: 'yes' | 'no') => ({
      criteria: {
        feedback_addressed: rating(met),
        consistent_with_history: rating('yes'),
        quality_maintained: rating('yes'),
        appropriate_in_scope: rating('yes'),
        consistent_with_upstream: rating('yes'),
      },
      earlier_issues: [],
      specific_issues: [],
      suggestions: [],
      reasoning: '',
      verdict: 'approved' as const,
    })
    expect(contradictsItself(reply('no'))).toBe(true)
    expect(decideTie(reply('no'), reply('yes')).verdict).toBe('approved')
  })
  test('003-M33, 003-F32: only the chapters concerned are written again', () => {
    expect(session.prompts('write')).toHaveLength(3)
    expect(session.lastFiles.filter((path) => path.endsWith('.md'))).toEqual(['my-novel/chapter-beats/chapter-07.md'])
  })
  test('003-O03: units are chapters, hunks are sentences', () => {
    const text = (word: string) => `# Chapter 1\n\nHe woke. ${word} rang the bell. Then he slept.\n`
    const { units, hunks } = computeDiff({
      units: [{ path: 'a.md', kind: 'part', label: 'Chapter 1', format: 'markdown' }],
      before: new Map([['a.md', text('Nobody')]]),
      after: new Map([['a.md', text('Marcus')]]),
    })
    expect([units.length, hunks.map(({ before, after }) => [before.text.trim(), after.text.trim()])]).toEqual([
      1,
      [['Nobody rang the bell.', 'Marcus rang the bell.']],
    ])
  })
  test('003-O04: an iteration can be taken back as a whole, and a single change can be rejected', () => {
    expect(picks.after(`chapter-beats/${file(3)}`)).toContain('Dread')
    expect(picks.after(`chapter-beats/${file(5)}`)).toBe(beats(5))
    const [entry] = (
      JSON.parse(picks.after('chapter-beats/iteration_history.json')) as { iterations: Record<string, unknown>[] }
    ).iterations
    expect(entry).toMatchObject({ judge_verdict: 'partial', rejected: ['Chapter 5 follows.'], files_changed: 1 })
    expect(picks.readDebug('user_decision.txt').trim()).toBe('accepted 1 of 2 changes')
    expect(picks.screen).toContain('Undo: [chapters] Darker chapters 3 and 5')
  })
  test('003-O05: a slow model is bearable, because its text streams', () =>
    expect(outage.raw).toMatch(/[█░]{24}\] \d+%/))
  test('003-N01: a session reads like a talk with an editor', () => {
    expect(session.screen).toMatch(
      /> Make chapter 3 darker and add internal conflict\n[\s\S]*> Also make chapter 7 reflect/,
    )
  })
  test('003-N04: the same interface on all levels', async () => {
    const novel = newNovel({ chapters: 2, prose: 2 })
    const reply = {
      premise: 'p',
      protagonist: 'p',
      antagonist: 'a',
      stakes: 's',
      hook: 'h',
      themes: ['t'],
      unique_elements: ['u'],
      selections: [],
    }
    const base = createWriterModel({
      plan: (_feedback, names) => names.slice(-1).map((name) => ({ name })),
      revise: (_name, text) => `${text}\n\nMore.`,
    })
    const model: typeof base = {
      ...base,
      call: async (request, signal) => {
        const answer = await base.call(request, signal)
        const isPremise = request.system?.includes('You revise') && request.prompt.includes('One JSON object')
        return isPremise ? { ...answer, text: JSON.stringify(reply) } : answer
      },
    }
    for (const target of ['prose', 'chapters', 'treatment', 'premise']) {
      const result = await iterate(target, 'More', {
        project: novel.folder,
        model: 'writer',
        models: { writer: model },
        env: novel.env,
      })
      expect([target, result.status, result.judge_verdict]).toEqual([target, 'completed', 'approved'])
    }
    expect(novel.git('log', '--format=%s').split('\n').slice(0, 4)).toEqual([
      '[premise] More',
      '[treatment] More',
      '[chapters] More',
      '[prose] More',
    ])
  })
})
