import type { Files } from '../../level.ts'
import { edit } from './edit.ts'

const road = `## The Salt Road

The map shows the way to the coast, 140 kilometres in six days. A cart carried twelve barrels, and at each of the four toll houses one of them stayed behind.

`

const laboratory = `## The Laboratory

Doctor Emil Voss tested the brine in this room every morning. His notebooks fill forty volumes, and not one of them mentions the strike.

`

const text = `# Audio Guide: The Salt Museum

Welcome. This tour has seven stops and takes about fifty minutes. Press the green button to pause and the blue one to hear a stop again.

## The Entrance Hall

Look up. The beam above you is oak, nineteen metres long, and it survived the fire of 1844. Salt had crept into the wood and kept the flames away.

## The Brine Pump

In front of you stands the pump that gave the town its name. Two horses walked in a circle for eight hours to lift 3,000 litres of brine. They were called Castor and Frieda; their names are painted on the wall to your left.

## The Boiling House

It was never colder than forty degrees in here. Women raked the pans, barefoot, for eleven pfennigs a day. Put your hand on the rim of the second pan: the grooves are from their rakes.

${road}## The Strike

In May 1911 the rakers put down their tools. They were led by Auguste Reimann, a widow with three children. After seventeen days the owners raised the wage by two pfennigs.

${laboratory}## The Last Shift

The pans went cold on 30 September 1962. The foreman, Otto Hanke, swept the floor, hung up his apron and handed the key to the mayor. The apron is still on its hook.

Thank you for listening. Please return your device at the desk.
`

export const museumBefore: Files = { 'guide.md': text }

export const museumAfter: Files = {
  'guide.md': edit(
    text,
    ['seven stops and takes about fifty minutes', 'six stops and takes about forty minutes'],
    [road, ''],
    ['## The Brine Pump\n', `${road}## The Brine Pump\n`],
    [laboratory, ''],
    ['for eleven pfennigs a day', 'for nine pfennigs a day'],
    [
      'the grooves are from their rakes.',
      `the grooves are from their rakes.

If you cannot see the pans, you will find a bronze model on the table to your right. It is one tenth of the real size.`,
    ],
    [
      'After seventeen days the owners raised the wage by two pfennigs.',
      'After seventeen days the owners raised the wage by two pfennigs. Reimann was dismissed in the autumn and never worked in the town again.',
    ],
    ['Please return your device at the desk.', 'Please leave your device in the basket by the door.'],
  ),
}
