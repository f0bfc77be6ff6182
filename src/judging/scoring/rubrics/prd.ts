import type { Rubric } from '../../../contract/rubric.ts'

// Twelve documents of known quality, spread over the scale.
const prdAnchors: Rubric['anchors'] = [
  {
    task: 'Write the requirements for password reset by mail.',
    score: 5,
    text: '# Password Reset\n\nOur vision is a delightful login experience that makes people smile. In the digital age, users expect excellence at every touch point, and we are passionate about exceeding expectations. This initiative will transform the way in which people think about passwords. With a user-centred mindset and a best-in-class approach we will set new standards for the whole industry. The result will be intuitive, seamless, innovative and future-proof. Stakeholders are excited, and the team cannot wait to get started on this wonderful journey.',
  },
  {
    task: 'Write the requirements for exporting a list of orders as CSV.',
    score: 13,
    text: '# Export\n\nThe export should be really good and easy to use. It must be fast and modern. Users like exports. It should support all formats that users may want, and it should work everywhere. The design should be clean. The export should be secure, scalable and robust, and it should have a high quality. It should be possible to extend it later with further features that we do not know yet. The team should use best practices. When it is done, everybody should be satisfied with the export, and management should be able to see its value.',
  },
  {
    task: 'Write the requirements for a search box on the help pages.',
    score: 22,
    text: '# Search for the help pages\n\nWe need a search. We will use a well-known search engine, because it is the market leader and a competitor has it too. There will be a box at the top, probably on the right. When the user types, results appear. Results should be relevant. The search should be very fast, and it must also find things when users make typing mistakes, but only exact matches should be shown. Maybe there should be filters; this will be discussed later. The box should look good on all devices. Analytics would be nice to have. Launch is planned for some time in spring.',
  },
  {
    task: 'Write the requirements for e-mail reminders before an appointment.',
    score: 32,
    text: '# Appointment reminders\n\nPatients forget appointments. They should get an e-mail before the appointment.\n\n- The mail contains the time and place.\n- It is sent early enough.\n- The practice can change the text.\n- Patients can switch reminders off somewhere.\n- It should also work with several appointments and for families.\n- The system must not send too many mails.\n- Mails should look professional and match the brand.\n\nSuccess: fewer people forget their appointment and the practices are happier. Later we could add text messages, calls and a chat bot, which would make the product even more attractive to practices.',
  },
  {
    task: 'Write the requirements for uploading a profile picture.',
    score: 42,
    text: '# Profile picture\n\nMembers want to recognise each other in discussions; today everyone has the same grey icon.\n\n1. A member can upload a picture on the profile page.\n2. Common formats are supported. Large files are refused.\n3. The picture is cropped and shown next to the posts of the member in several sizes.\n4. The member can replace or remove it.\n5. Inappropriate pictures are not allowed.\n\nAcceptance: uploading a picture works, and it appears in the posts soon afterwards. Files that are too large give an error message. The page stays fast even when many pictures are shown on it.',
  },
  {
    task: 'Write the requirements for an audit log in an administration tool.',
    score: 50,
    text: '# Audit log\n\nAdministrators cannot tell who changed a setting. They ask the developers, who search in the database.\n\n- Each change of a setting is logged with user, time, old and new value.\n- A page shows the entries, newest first, with a filter by user and by setting.\n- Entries cannot be changed.\n- Old entries are deleted after a while.\n\nAcceptance criteria\n- After a change, an entry with the five values is on the page.\n- Filtering by user shows only entries of that user.\n- The page loads quickly with many entries.\n\nNot part of this: logging of reads.',
  },
  {
    task: 'Write the requirements for limiting failed logins.',
    score: 59,
    text: '# Limit failed logins\n\nAttackers try passwords by the thousand; last month three accounts were taken over. Users of the web login are concerned, not those of the API.\n\nR1. After 5 wrong passwords for an account within 10 minutes, further tries are refused for 15 minutes.\nR2. The message does not tell whether the account exists.\nR3. The user is informed by mail.\nR4. Support can lift the block.\n\nAcceptance\n- R1: the sixth try is refused, also with the right password.\n- R2: the same message for known and unknown names.\n- R3: a mail is sent.\n- R4: support lifts a block and the user can log in.',
  },
  {
    task: 'Write the requirements for a dark mode of the web application.',
    score: 67,
    text: '# Dark mode\n\nOf 400 people in our survey, 61 % work in the evening and find the pages too bright. Goal: a dark look of all pages that need a login. Marketing pages stay as they are.\n\nR1. In the settings one can choose light, dark or "as the system". The default is "as the system".\nR2. The choice is kept in the account and holds on every device.\nR3. All text has a contrast of at least 4.5 to 1.\nR4. There is no flash of the light look while loading.\n\nAcceptance\n- R1: each choice changes the look without reloading.\n- R2: log in on a second browser: the same look.\n- R3: an automatic check of all pages finds no violation.\n- R4: not visible when loading.\n\nCharts and uploaded images are to be handled sensibly.',
  },
  {
    task: 'Write the requirements for importing contacts from a CSV file.',
    score: 75,
    text: '# Import contacts\n\nNew customers type in 200 contacts by hand on average; a third give up. Goal: 9 of 10 imports succeed without support. Other formats are out.\n\nR1. Administrators upload a CSV file in UTF-8, at most 5 MB and 10,000 lines.\nR2. Columns are matched by their header; `email` is required.\nR3. A line with an invalid address is skipped and listed with its number and reason.\nR4. A contact whose address exists is updated, not doubled.\n\nAcceptance\n- R1: 10,000 lines finish within 60 s; 10,001 are refused with the limit in the message.\n- R2: a file without `email` is refused before anything is stored.\n- R3: of 10 lines with 2 bad ones, 8 are stored and 2 listed.\n- R4: importing a file twice leaves the number of contacts unchanged.\n\nOpen: what happens if the connection is lost during the upload.',
  },
  {
    task: 'Write the requirements for cancelling a subscription in the account page.',
    score: 83,
    text: '# Cancel a subscription\n\nCustomers must write to support to cancel: 1,200 mails a month, 3 days each. Goal: 90 % cancel without support. Refunds and pauses are out.\n\nR1. The account owner, and nobody else, sees "Cancel" while a subscription is active.\nR2. It takes effect at the end of the paid period; until then everything works.\nR3. A confirmation with the end date is mailed within 5 minutes.\nR4. Until then the owner can take it back.\nR5. If the payment provider does not answer within 10 s, nothing is changed and the owner is told to try again.\n\nAcceptance\n- R1: a team member gets 403.\n- R2: no charge after the end date; paid pages are refused the day after.\n- R3: the mail holds the date that the page shows.\n- R4: after that, charges go on as before.\n- R5: with the provider switched off, the state stays `active`.',
  },
  {
    task: 'Write the requirements for webhooks that tell customers about new invoices.',
    score: 90,
    text: '# Invoice webhooks\n\nForty customers poll our API each minute for invoices, 80 % of all its load. Goal: half stop within three months. Other events are out.\n\nR1. An administrator stores one HTTPS address; other schemes and private networks are refused.\nR2. For each invoice one POST with id, number, amount and time is sent within 30 s.\nR3. It is signed with HMAC-SHA-256 over body and time; the secret is shown once.\nR4. Without a 2xx within 10 s it is sent again after 1, 5, 30 minutes and 2 hours, with the same event id; then it is marked failed.\nR5. The last 100 deliveries are listed and can be sent again.\n\nAcceptance\n- R1: `http:` and 10.0.0.1 are refused.\n- R2: 100 invoices give 100 POSTs within 30 s.\n- R3: a changed byte fails the check.\n- R4: a receiver that answers 500 gets five tries with one id.\n- R5: so does sending again.',
  },
  {
    task: 'Write the requirements for deleting an account on the user’s request.',
    score: 97,
    text: '# Delete my account\n\n300 users a month ask support for it; the law gives 30 days, 4 % take longer. Goal: none does. Company accounts are out.\n\nR1. A user who repeats the password can ask for deletion.\nR2. For 14 days the account is locked; a mailed link restores it.\nR3. Then profile, posts and files are deleted within 24 h; invoices are kept without name and address.\nR4. A step that fails is repeated hourly; after 24 h the team on call is told.\n\nAcceptance\n- R1: wrong password: nothing happens; after five, a wait of 15 minutes.\n- R2: day 13: everything is back. Day 15: the link says it is too late.\n- R3: the mail address is found in no table or file; the sum of invoices is unchanged.\n- R4: file store down for 3 h: deletion ends by itself; for 25 h: one alert.\n\nDepends on mail. Backups expire after 30 days.',
  },
]

/** For requirement documents. */
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
