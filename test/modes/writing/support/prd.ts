/** The documents of a small product, level by level, as a model would write them by the rules of the type. */

export const brief = `# Tool shelf

## Problem

In our house of 24 flats people buy drills, ladders and saws that they use twice a year. Today they ask around in the stairwell or buy one more;
about once a week somebody asks for a ladder that nobody can find (assumed).

## Audience

Tenants who lend and borrow tools in one house, and the caretaker who keeps the shelf.

## Goals

1. A tenant finds out in a minute who has a tool.
2. A tool comes back without anybody asking for it in person.
3. The caretaker keeps no list on paper any more.

## Non-goals

- Payment and deposits, because neighbours do not charge each other.
- More than one house, because nobody has asked for it.

## Measures

- Tools that cannot be found: today about one each week (assumed), to be reached none in a month, read from the notice board.

## Risks

- Nobody writes down a loan. Cheapest test: two weeks with a pencil and a sheet at the shelf.
`

export const requirements = `## Functional requirements

- **FR-1:** When a tenant runs the list command, the program must show each tool with its borrower and due date, or "on the shelf" (goal 1).
- **FR-2:** When a tenant borrows a tool that is on the shelf, the program must record the tenant and a due date seven days later (goal 2).
- **FR-3:** When a tenant borrows a tool that is lent, the program must refuse it and name the borrower and the due date (goal 1).
- **FR-4:** When a tool is brought back, the program must record that it is on the shelf (goal 3).

## Quality requirements

- **QR-1:** The list of 200 tools must appear within one second on the caretaker's computer of 2016.

## Constraints

- The program runs on the caretaker's computer without network, because there is none in the cellar.

## Out of scope

- Reservations.

## Open questions

- May a tenant borrow two ladders at once? The caretaker can answer this.
`

export const design = `## Approach

One command reads and writes one file in the caretaker's home. Each loan is a line that is added; the state of a tool is its newest line.

## Parts

- Ledger: reads and adds lines. Depends on nothing.
- Commands: list, borrow, return. Depend on the ledger.

## Data

A line has the time, the tool, the tenant and the word "out" or "back", separated by tabs.

## Interfaces

\`shelf borrow ladder --for "flat 12"\` prints \`ladder: due 2027-03-08\` and exits with 0. A tool that is lent exits with 1 and prints
\`ladder: flat 3 has it until 2027-03-05\`.

## Decisions

- A file of lines instead of a database, because it can be read and mended without a program (FR-4, QR-1).

## Failure and recovery

A line that is cut off is skipped and named. The caretaker adds it again.

## Verification

- FR-1 to FR-4: tests that run the command in an empty folder. QR-1: a test with 200 tools and a clock.
`

const story = (
  number: number,
  title: string,
  wish: string,
  more: { readonly depends?: string; readonly requirements: string; readonly criteria: readonly string[] },
): string => `### US-${number}: ${title}

${wish}

${more.depends ? `**Depends on:** ${more.depends}\n\n` : ''}**Requirements:** ${more.requirements}

**Acceptance criteria:**

${more.criteria.map((text, at) => `- [ ] AC-${number}.${at + 1}: ${text}`).join('\n')}
`

const stories = [
  story(1, 'Borrow a tool', 'As a tenant, I want to borrow a tool, so that everybody knows where it is.', {
    requirements: 'FR-2, FR-3',
    criteria: [
      '`shelf borrow ladder --for "flat 12"` prints the due date seven days later and exits with 0.',
      'Borrowing a tool that is lent exits with 1 and names the borrower and the due date.',
    ],
  }),
  story(2, 'List the tools', 'As a tenant, I want to see all tools, so that I know whom to ask.', {
    depends: 'US-1',
    requirements: 'FR-1, QR-1',
    criteria: [
      '`shelf list` prints each tool with its borrower and due date, or "on the shelf".',
      'With 200 tools `shelf list` ends within one second.',
    ],
  }),
  story(3, 'Bring a tool back', 'As the caretaker, I want to record a return, so that I keep no list on paper.', {
    depends: 'US-1',
    requirements: 'FR-4',
    criteria: [
      '`shelf return ladder` prints "on the shelf", and `shelf list` shows it there.',
      '`shelf return ladder` for a tool that is on the shelf exits with 1 and changes nothing.',
    ],
  }),
]

const overdue = story(
  4,
  'Show what is overdue',
  'As the caretaker, I want to see late tools, so that I can ask for them.',
  {
    depends: 'US-2, US-3',
    requirements: 'FR-1',
    criteria: [
      '`shelf list --overdue` prints only tools whose due date has passed, the oldest first.',
      'If nothing is overdue, it prints "nothing is overdue" and exits with 0.',
    ],
  },
)

const head = `# Tool shelf

## Overview

A command that records who has borrowed which tool in one house. It runs on the caretaker's computer and needs no network.

## Constraints

- No network.

## Out of scope

- Reservations.

## User stories

`

export const tasks = head + stories.join('\n')
export const tasksWithOverdue = head + [...stories, overdue].join('\n')

/** A document that somebody wrote before, with headings of its own. */
export const draft = `# Key cabinet

Keys get lost in our office.

## Background

Forty keys hang in a cabinet. Nobody knows who took the key of the cellar.

## Functional requirements

- **FR-1:** When a person takes a key, the program must record the name and the time.
- **FR-2:** When a key is missing for a day, the program must name the last person who took it.

## Architecture

One table in one file. A scanner types the number of a key.

## Appendix on colours

Red keys open the laboratory.

## Milestones

- [ ] The cabinet records who takes a key.
- [ ] The cabinet names keys that are missing.
`

export const report = `# Coverage

Every requirement has a story, but goal 2 is served only halfway: nobody notices a tool that is late.

1. requirements.md, FR-2: a due date is recorded and never read again. Add a story that shows what is overdue.

Looked for and not found: stories without a requirement.
`

/** The files of the project `tool-shelf`, all levels written. */
export const shelfFiles: Readonly<Record<string, string>> = {
  'tool-shelf/project.yaml': 'name: tool-shelf\ntype: prd\ncreated_at: 2026-01-01T00:00:00Z\n',
  'tool-shelf/brief/brief.md': brief,
  'tool-shelf/requirements/requirements.md': requirements,
  'tool-shelf/design/design.md': design,
  'tool-shelf/tasks/tasks.md': tasks,
}
