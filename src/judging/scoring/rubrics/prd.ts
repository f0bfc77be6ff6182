import type { Rubric } from '../../../contract/rubric.ts'
import { prdAnchors } from './prd-anchors.ts'

/** For documents of requirements. */
export const prd: Rubric = {
  id: 'prd',
  version: 1,
  dimensions: [
    {
      id: 'purpose',
      question: 'Does it say whose problem is solved, why now, and what is left out?',
      weight: 0.2,
      floor: 60,
      levels: [
        'No problem and nobody who has it.',
        'A solution or a slogan in place of a problem.',
        'A problem is hinted at; whose it is stays open.',
        'Problem and users are named; what is left out is not.',
        'Problem, users and limits are clear; the reason or the gain is vague.',
        'Problem, users, gain and limits are clear, with a figure that tells success.',
      ],
    },
    {
      id: 'requirements',
      question: 'Is each requirement one thing that can be built, without a contradiction and without two readings?',
      weight: 0.3,
      floor: 60,
      levels: [
        'No requirements.',
        'Wishes such as "fast" or "modern" only.',
        'Some requirements; most can be read in several ways, or they contradict each other.',
        'Most can be built as written; some are vague or hold several things at once.',
        'All can be built; one or two leave a question.',
        'Each is single, unambiguous and consistent with the others.',
      ],
    },
    {
      id: 'verification',
      question: 'Could somebody who was not there tell for each requirement, by a test, whether it is met?',
      weight: 0.3,
      floor: 60,
      levels: [
        'Nothing can be tested.',
        'Success is a matter of taste.',
        'A few things could be tested; figures and conditions are missing.',
        'The main requirements have criteria; some lack figures or conditions.',
        'All have criteria that can be tested; one or two conditions are left open.',
        'Each has a criterion with condition, action and result, figures included.',
      ],
    },
    {
      id: 'completeness',
      question: 'Are failures, limits, rights, data and dependencies covered as far as the work needs them?',
      weight: 0.2,
      floor: 60,
      levels: [
        'Nothing is covered.',
        'Only the simplest case, in outline.',
        'The usual case; failures and limits are not thought of.',
        'The usual case and some failures; an important one is missing.',
        'Failures and limits are covered; a rare case is left open.',
        'What can go wrong, who may do it and what it depends on are all covered.',
      ],
    },
  ],
  checks: {},
  anchors: prdAnchors,
}
