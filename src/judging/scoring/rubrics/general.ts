import type { Rubric } from '../../../contract/rubric.ts'
import { generalAnchors } from './general-anchors.ts'

/** For any text that was asked for. */
export const general: Rubric = {
  id: 'general',
  version: 1,
  dimensions: [
    {
      id: 'relevance',
      question: 'Does the text do what was asked, for the reader it is meant for, and nothing else?',
      weight: 0.3,
      floor: 60,
      levels: [
        'It is about something else, or empty.',
        'It touches the subject but does not do what was asked.',
        'It does part of what was asked; much of it is beside the point or general talk.',
        'It does what was asked, with passages that help nobody.',
        'It does what was asked; a sentence or two could go.',
        'Every sentence serves what was asked.',
      ],
    },
    {
      id: 'accuracy',
      question: 'Is what it says true, consistent with itself and with what was given, and safe to act upon?',
      weight: 0.35,
      floor: 60,
      levels: [
        'Nothing in it can be relied on, or it claims nothing that could be true or false.',
        'Wrong in what matters most; whoever follows it does harm.',
        'True and wrong statements are mixed, or it contradicts itself.',
        'True in the main; a careful reader finds a mistake or a claim without ground.',
        'True; small imprecisions that mislead nobody.',
        'True and precise throughout, and open about what it does not know.',
      ],
    },
    {
      id: 'completeness',
      question: 'Is everything there that the reader needs for the purpose, in enough detail to use it?',
      weight: 0.35,
      floor: 60,
      levels: [
        'Nothing that could be used.',
        'One point of many; the reader has to start over.',
        'Several necessary parts are missing.',
        'The main parts are there; one is missing or too thin to act upon.',
        'All parts are there; a detail or an exceptional case is left open.',
        'Nothing that the purpose needs is missing, exceptional cases included.',
      ],
    },
  ],
  checks: {},
  anchors: generalAnchors,
}
