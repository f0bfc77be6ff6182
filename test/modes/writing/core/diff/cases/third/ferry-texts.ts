import type { Files } from '../../level.ts'
import { edit } from './edit.ts'

const one = `# Chapter 1: The Manifest

The Halvorsen left Dock 9 at 22:40, twenty minutes late and one passenger short. Ines Calloway counted the manifest twice. Sixty-three names, sixty-two faces.

"Somebody missed the boat," said Purser Oduya, and shut the ledger.

She did not think so. The missing passenger had checked in a steel case that weighed nineteen kilos. It stood on the car deck, chained to a lorry, with a paper tag from a bank in Lisbon. The name on the tag was Marek Stahl.

At the rail a boy in a yellow raincoat was feeding the gulls. He looked at her once, dropped the bread and ran.

Ines had been a harbour inspector for eleven years. She knew what a case looked like when its owner meant to come back for it.
`

const two = `# Chapter 2: Car Deck

The car deck smelled of diesel and wet rope. Ines walked between the lorries with a torch and found the case where the loader had said, under the third lamp.

The chain was new. The padlock was not: somebody had scratched four digits into the brass, 0417, and then tried to file them away.

A mechanic named Pia Lund sat on the ramp, eating an orange. "You're the second one tonight," she said. "The first one had a captain's coat."

"Did he open it?"

"He listened to it. Like a doctor."
`

const three = `# Chapter 3: The Radio Room

Captain Brandt denied everything before she had asked. He had not left the bridge since the harbour, he said, and no, he did not own a coat.

The radio operator was asleep. Ines shook him, and he gave her the log: three calls to shore since midnight, all to the same number, none of them longer than a minute.

She dialled the number. It rang five times. Then a man said, "Is it still ticking?" and she knew the voice from the check-in tape. It was Marek Stahl.

She hung up and ran for the stairs.
`

const four = `# Chapter 4: Ninety Seconds

The case was louder now. Pia Lund had cut the chain with bolt cutters and stood well back.

"We throw it," said Oduya. "We throw it and we never talk about it."

Together they dragged it to the stern door. Brandt held the lever. The door opened a metre, the sea came in, and the case went out. They counted to ninety. Nothing happened.

At dawn the ferry reached Skarhamn. Two police officers came aboard and asked for the inspector. Ines told them about the tape, the number and the man who had never boarded. She did not tell them about the coat.

One of the officers wrote it all down in pencil. The other one was wearing a yellow raincoat.
`

export const ferryBefore: Files = {
  'chapter-01.md': one,
  'chapter-02.md': two,
  'chapter-03.md': three,
  'chapter-04.md': four,
}

export const ferryAfter: Files = {
  'chapter-01.md': edit(
    one,
    ['at 22:40, twenty minutes late', 'at 23:15, fifty-five minutes late'],
    ['The name on the tag was Marek Stahl.', 'The name on the tag was Anton Reuss.'],
    [
      'At the rail a boy in a yellow raincoat was feeding the gulls. He looked at her once, dropped the bread and ran.\n\n',
      '',
    ],
  ),
  'chapter-02.md': two,
  'chapter-03.md': edit(
    three,
    ['three calls to shore', 'seven calls to shore'],
    ['It was Marek Stahl.', 'It was Anton Reuss.'],
    [
      'She hung up and ran for the stairs.',
      `She did not hang up. She laid the receiver on the desk and told the operator to keep the line open until she came back.

Behind the door hung the coat. It was dry, the collar was torn, and in the left pocket lay a key with a brass tag: cabin 214.`,
    ],
  ),
  'chapter-04.md': edit(
    four,
    [
      'Together they dragged it to the stern door. Brandt held the lever. The door opened a metre, the sea came in, and the case went out. They counted to ninety. Nothing happened.',
      'Nobody moved. Ines knelt, set the padlock to 0417 and lifted the lid. Inside lay a kitchen clock, a bundle of passports and a photograph of herself. The clock stopped at ninety seconds.',
    ],
    ['One of the officers wrote it all down in pencil. The other one was wearing a yellow raincoat.\n', ''],
  ),
}
