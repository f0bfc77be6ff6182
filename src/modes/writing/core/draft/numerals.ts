/** Reads the number of a chapter: "12", "IV", "twenty-three", "third", "dritten". Undefined if the text is not a number. */
export function parseNumeral(text: string): number | undefined {
  const word = text.toLowerCase()
  if (/^\d{1,4}$/.test(word)) return Number(word)
  return parseRoman(word) ?? parseEnglish(word) ?? germanNumbers.get(word)
}

const romanForm = /^m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/
const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }

function parseRoman(word: string): number | undefined {
  if (word === '' || !romanForm.test(word)) return undefined
  const digits = [...word].map((letter) => romanDigits[letter]!)
  return digits.reduce((sum, digit, at) => sum + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0)
}

const listNumbers = (words: string, first: number, step = 1): readonly (readonly [string, number])[] =>
  words.split(' ').map((word, at) => [word, first + at * step] as const)

const englishNumbers = new Map([
  ...listNumbers('one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen', 1),
  ...listNumbers('sixteen seventeen eighteen nineteen', 16),
  ...listNumbers('first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth', 1),
  ...listNumbers('thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth', 13),
  ...listNumbers('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
])

function parseEnglish(word: string): number | undefined {
  const whole = englishNumbers.get(word)
  if (whole !== undefined) return whole
  const [tens = '', ones = '', ...more] = word.split(/[- ]/)
  const [ten, one] = [englishNumbers.get(tens), englishNumbers.get(ones)]
  const fits = more.length === 0 && ten !== undefined && one !== undefined && ten >= 20 && ten % 10 === 0 && one < 10
  return fits ? ten + one : undefined
}

const germanNumbers = new Map([
  ...listNumbers('eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn', 1),
  ...listNumbers('sechzehn siebzehn achtzehn neunzehn zwanzig einundzwanzig zweiundzwanzig dreiundzwanzig', 16),
  ...listNumbers('vierundzwanzig fünfundzwanzig sechsundzwanzig siebenundzwanzig achtundzwanzig', 24),
  ...listNumbers('neunundzwanzig dreißig', 29),
  ...listNumbers('erstes zweites drittes viertes fünftes sechstes siebtes achtes neuntes zehntes elftes zwölftes', 1),
])
