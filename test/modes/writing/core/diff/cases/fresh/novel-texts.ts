// The three chapters of the novel, before they are revised.

export const first = `# Chapter 1: The Ferry

Ines Marrow came back to Holm on the last ferry of October, with one suitcase and a letter she had read eleven times. The deck was wet, and nobody else stood on it except the mate, Tobias Quill, who pretended not to know her.

"You look like your father," he said at last.

"Everyone says that who owes him money," said Ines.

The harbour lay in the dark. Three lamps burned on the mole, and behind them the salt works stood like a row of broken teeth. She had been away for nine years. Nothing seemed to have been painted since.

At the customs shed her aunt Berta waited with a lantern. Berta did not embrace her. She took the suitcase, weighed it in her hand, and said that supper was cold.

That night Ines lay in the room under the roof and listened to the wind. She took out the letter again. It was signed by a notary named Calloway, and it said that her father had left her the works, the house, and all his debts.
`

export const second = `# Chapter 2: The Works

In the morning she walked down to the salt works. The foreman, old Piet Lund, showed her the pans one after the other: four were in use, two were cracked, and one had been turned into a pond for ducks.

"Your father stopped paying us in June," said Piet. "We stayed anyway."

Ines asked why. Piet shrugged and spat into the pond.

## The Ledger

In the office she found the ledger. It was bound in green cloth, and its last entry was dated the second of August. Between the pages lay a photograph of a woman she did not know. On the back somebody had written: Do not sell.

She put the photograph into her coat. Then she counted the money in the iron box. There were two hundred and forty crowns, hardly enough for a week of wages.

## The Visitor

At noon a man in a grey hat came up the path. He introduced himself as Mr. Calloway, the notary, and he had an offer in his pocket. A company on the mainland would pay six thousand crowns for the works, if she signed before Sunday.

"And the people?" asked Ines.

"The people are not part of the offer," said Calloway.

She did not sign. She told him she would think about it, and watched him go down to the harbour, holding his hat against the wind.
`

export const third = `# Chapter 3: The Meeting

On Saturday the workers met in the chapel, because it had the only stove that drew. Seventeen came. Berta kept the minutes on the back of a hymn sheet.

Ines laid the ledger on the altar and read the debts aloud, one by one. It took almost an hour. When she was done, nobody spoke, until Piet Lund stood up and asked whether the ducks were included.

They laughed, and then they voted. Fourteen hands went up for going on, and three stayed down. Tobias Quill, who had no vote, stood at the door and turned his cap in his hands.

"Then we start with the cracked pans," said Ines.
`
