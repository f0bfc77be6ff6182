import type { Rubric } from '../../../contract/rubric.ts'

// Twelve texts of known quality, spread over the scale.
export const generalAnchors: Rubric['anchors'] = [
  {
    task: 'Explain to a new colleague how to undo a bad deployment of our web shop.',
    score: 5,
    text: 'Deployments are an exciting part of modern software. In a fast-moving world, teams everywhere strive to deliver value, and delivery is a journey rather than a destination. It is important to stay positive and to keep learning. Great teams communicate well and trust each other. By embracing change and leveraging synergies, any organisation can unlock its full potential. Always remember that success is a team sport, and that every challenge is an opportunity in disguise. Together we can achieve more.',
  },
  {
    task: 'Tell users why the mobile app logs them out and what they can do about it.',
    score: 12,
    text: 'Many people use our app every day and we are happy about that. Sometimes users are logged out. Logging out is a function by which a session ends. There can be many reasons for this, technical and otherwise, and reasons differ between users. If you are logged out, this can be annoying, and we understand that. Our app has many other functions which you may like, such as dark mode, lists and sharing with friends. We recommend that you use the app regularly and that you tell others about it. Thank you for your patience.',
  },
  {
    task: 'Describe how to back up our PostgreSQL database every night and how to check that a backup works.',
    score: 22,
    text: 'To back up PostgreSQL, copy the data directory with cp while the server is running; this always gives a clean copy, so it need not be stopped. Put the command into a file and start it by hand when you think of it. Backups can be kept on the same disk, which is the safest place because it is fast. There is no need to try a restore: if the copy command printed no error, the backup is good. You should also make sure that you have enough space. Backups are important, because without backups you could lose data.',
  },
  {
    task: 'Write a guide for support staff: a customer says that they were charged twice.',
    score: 31,
    text: 'When a customer says they were charged twice, stay friendly and apologise. Look at the account. It may be that the customer is wrong, because many customers do not read their statements. Tell them that the bank will sort it out within a day, which it always does. You can also refund them if you like. If they are still unhappy, forward the mail to somebody in finance. Being friendly matters, since a friendly tone makes customers come back. Use their first name, thank them for writing, and end with a kind greeting. A customer who feels heard is a loyal customer.',
  },
  {
    task: 'Explain to developers how to write a good commit message in our team.',
    score: 41,
    text: 'A commit message should say what was changed. Keep the first line short. Some people write it in the present tense, others in the past, both are fine, but do it always in the present tense. Git cuts off messages after 50 characters, so never write more than that. A body is optional. It helps others if they know why something was changed, so think about your reader. Do not write things such as "fix" or "stuff". Good messages help when searching the history later, and they are a sign of a professional attitude. Ask a colleague if you are not sure.',
  },
  {
    task: 'Describe for operators what to do when the disk of the log server is almost full.',
    score: 50,
    text: 'When the disk is almost full, log in to the server and run `df -h` to see which partition is concerned. With `du -sh /var/log/*` you find the biggest folders. Old logs that are compressed can be deleted. Then check again with `df -h`.\n\nA file that a running process still holds open frees no space when it is deleted, so it may look as if nothing had happened; in that case restart the server. Rotation should be set up so that it does not happen again. If you do not know whether a log is still needed, better ask before you delete it.',
  },
  {
    task: 'Write the announcement of a maintenance window for customers of our booking site.',
    score: 58,
    text: 'Dear customers, on Sunday, 8 March, we are going to carry out maintenance on our booking site. During this time the site will not be available and no bookings can be made. Existing bookings are not affected. We are moving to a new database server, which makes the site faster, especially when many people search at the same time. Our technicians have been preparing this for several weeks and have tested it thoroughly. We will be back as soon as possible. We apologise for any inconvenience and thank you for your understanding. Your booking team.',
  },
  {
    task: 'Explain to a junior developer when to use an index in a relational database and what it costs.',
    score: 66,
    text: 'An index lets the database find rows without reading the whole table, much as the index of a book does. Use one for columns that appear often in WHERE, JOIN or ORDER BY, above all in large tables and where a query returns few of the rows.\n\nIt has a price: each insert, update and delete must maintain it, and it takes space on disk. A table with ten indexes is noticeably slower to write.\n\nIndexes on columns with few different values, such as a yes/no flag, never help. Look at the plan of the query with EXPLAIN before and after, and drop what is not used.',
  },
  {
    task: 'Describe how a developer rotates the API key of our mail provider without an interruption.',
    score: 74,
    text: '1. In the console of the provider, create a second key with the same rights. Leave the old one active.\n2. Put the new key into the secret store under `MAIL_API_KEY`.\n3. Restart the workers one after another, so that some are always running.\n4. Send a test mail from staging and from production.\n5. When all workers use the new key, delete the old one in the console.\n\nNever paste a key into a ticket or a chat. If something goes wrong before step 5, put the old key back into the store and restart; it is still valid. Note the date in the calendar of the team: keys are rotated every 90 days.',
  },
  {
    task: 'Explain to the team how feature flags are used here, from creation to removal.',
    score: 82,
    text: 'A flag lets us ship code that is switched off.\n\n**Create.** Add it to `flags.yaml` with a name, an owner, a default of `off` and a removal date, at most 60 days ahead. The build fails without them.\n\n**Use.** Ask `isOn("new-cart", user)` in one place only, as high up as possible. Test both ways.\n\n**Roll out.** Staff first, then 5 %, 25 % and 100 % of users, with a day in between. Watch the error rate; if it doubles, switch off. That takes effect within a minute and needs no deployment.\n\n**Remove.** When a flag was at 100 % for two weeks, the owner deletes the old branch and the entry. A weekly job lists those that are overdue.',
  },
  {
    task: 'Write a short guide: how to report a security hole that you found in our product.',
    score: 90,
    text: 'Write to security@example.org, in English or German; encrypt with the key on /security if you can. Please do not open a public issue.\n\nTell us: the product and version, the steps that show the problem, what an attacker gains, and how to reach you. A proof of concept helps; data of other people is not needed, and please stop as soon as you see any.\n\nYou get an answer from a person within two working days and our assessment within ten. We fix critical holes within 30 days, others within 90, and tell you when the release is out. With your consent we name you in the notes. We take no legal steps against anyone who keeps to this page. We do not pay rewards.',
  },
  {
    task: 'Write the steps for restoring one deleted customer record from last night’s backup, for the engineer on call.',
    score: 97,
    text: 'Goal: bring one record back without touching others. About 20 minutes.\n\n1. Note the customer id and the time of deletion. If it is younger than the backup of 02:00, stop: the backup does not hold it; call the database team.\n2. Restore into a scratch database, never into production: `restore-backup --date yesterday --into scratch`.\n3. Export it: `export-customer --from scratch --id ID > customer.sql`. Expect one row in `customers` and its rows in `orders` and `addresses`.\n4. Read the file. If the id exists again in production, stop and ask support: the customer has signed up anew.\n5. Apply it in one transaction: `psql -1 -f customer.sql production`. Any error rolls everything back.\n6. Check: the customer page opens, the number of orders equals that of step 3.\n7. Drop the scratch database, delete the file (personal data), note the case in the log.',
  },
]

/** For any text. */
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
