import { informed } from './informed.ts'
import { judgeCheats } from './judge-cheats.ts'

for (const [language, cases] of Object.entries(informed)) judgeCheats(`informed ${language}`, cases)
