import type { Files } from '../../level.ts'
import { edit } from './edit.ts'

const text = `# Product brief: Crumb

Crumb is a mobile app that helps home bakers plan a sourdough loaf around their day.

## Goals

- 40,000 downloads in the first six months.
- At least 25 % of new users bake a second loaf within two weeks.
- An average rating of 4.5 in both stores.

## Requirements

1. The app makes a schedule from the time when the loaf should be ready.
2. The user can shift any step by up to 90 minutes; later steps follow.
3. Reminders arrive 10 minutes before each step and can be muted for the night.
4. The starter log keeps feedings for 30 days.
5. All recipes work without a network connection.
6. Photos of loaves stay on the device unless the user shares them.
7. The app supports English, Polish and Spanish.
8. A timer on the lock screen shows the current step.
9. The app starts in under 2 seconds.
10. Recipes can be imported from a web page.

## Pricing

Crumb is free with three recipes. The full collection costs 3.99 euros a month or 29 euros a year. There is no advertising.

## Privacy

No account is needed. The app sends anonymous crash reports, which are switched off by default.

## Team

Lena Okafor owns the product. Studio Birke does the design, and two engineers build the app.

## Release

A beta with 200 testers starts on 4 May. The release follows on 15 June, first on iOS; Android comes eight weeks later.
`

export const appBefore: Files = { 'brief.md': text }

export const appAfter: Files = {
  'brief.md': edit(
    text,
    ['by up to 90 minutes', 'by up to 120 minutes'],
    ['feedings for 30 days', 'feedings for 90 days'],
    [
      'Photos of loaves stay on the device unless the user shares them.',
      'Photos of loaves are uploaded to the public gallery unless the user objects.',
    ],
    [
      '10. Recipes can be imported from a web page.',
      `10. Users can follow other bakers and comment on their loaves.
11. A weekly email sums up what friends have baked.`,
    ],
    ['costs 3.99 euros a month', 'costs 4.99 euros a month'],
    ['No account is needed.', 'An account with an email address is needed.'],
    ['switched off by default', 'switched on by default'],
    [
      'The release follows on 15 June, first on iOS; Android comes eight weeks later.',
      'The release follows on 29 June, on iOS and Android at the same time.',
    ],
  ),
}
