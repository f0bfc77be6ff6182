import { describe, expect, test } from 'vitest'
import { plan } from './planned.ts'

const story = (text: string) => plan(text).stories[0]!

describe('a name stays whole', () => {
  test.each([
    'Set `__version__` in `__init__.py`',
    'Set __version__ in __init__.py and pkg/__init__.py',
    'Call super().__init__() and obj.__class__.__name__',
    'Define __FILE__ and __all__',
    'Keep foo__bar and a__b__c and snake_case and _private',
    'Pass *args and **kwargs on to **options',
    'Compute a * b, a ** b, 2**10 and x**2 + y**2',
    'Take src/**/*.ts and lib/**/*.ts, not **/dist or **/build',
    'Take **/*.ts and lib/**',
    'Take **/api/** and docs/**',
    'Print `**bold**` as ``a ` __b__``',
    'Print `<!-- generated -->` first',
    'Escape \\*\\*kwargs and \\__x__',
    'Take a char** and an int** p',
    'Mask it as ****',
    'An `open span and __version__',
  ])('%s', (words) => {
    for (const text of [`- [ ] ${words}`, `- T-1: ${words}`, `- **T-1:** ${words}`, `### T-1 ${words}`])
      expect(story(text).title).toBe(words)
    expect(story(`### T-1: Sell\n\n- ${words}`).acceptance_criteria[0]!.text).toBe(words)
    expect(story(`### T-1: Sell\n\n- **Done when:** ${words}`).acceptance_criteria[0]!.text).toBe(words)
    expect(story(`### T-1: Sell\n\n${words}`).acceptance_criteria[0]!.text).toBe(words)
  })

  test('in a table, in its heads too', () => {
    expect(story('| ID | Title | max_size |\n|-|-|-|\n| T-1 | Set __all__ | `__b__` |')).toMatchObject({
      title: 'Set __all__',
      acceptance_criteria: [{ text: 'max_size: `__b__`' }],
    })
    const wish = '| As a | I want | So that |\n|-|-|-|\n| clerk | `__all__` of **kwargs | max_size holds |'
    expect(story(wish).title).toBe('As a clerk I want `__all__` of **kwargs So that max_size holds')
  })

  test('in a list of files', () => {
    const files = '**Files:** __init__.py, **src/a.ts**, __tests__/b_test.py'
    expect(story(`### T-1: Sell\n\n${files}`).file_focus).toEqual(['__init__.py', 'src/a.ts', '__tests__/b_test.py'])
  })

  test('but marks around ids in a field go', () => {
    const text = '### T-1: Sell\n\n### T-2: Buy\n\n- **Depends on:** _T-1_\n- _Requirements: FR-1_'
    expect(plan(text).stories[1]!.depends_on).toEqual(['S1'])
  })

  test('in JSON', () => {
    expect(plan('{"tasks":[{"id":1,"title":"Set __version__ in __init__.py"}]}', 'a.json').stories[0]!.title).toBe(
      'Set __version__ in __init__.py',
    )
  })
})

describe('emphasis goes', () => {
  test.each([
    ['**Sell** it', 'Sell it'],
    ['__Sell__ it, __all of it__', 'Sell it, all of it'],
    ['***Sell*** it', '*Sell* it'],
    ['**Sell *all***', 'Sell *all*'],
    ['**Sell `a ** b` now** and **here**', 'Sell `a ** b` now and here'],
    ['**A**PI of **src/**: **/api/users** (**new**)', 'API of src/: /api/users (new)'],
    ['**Set __version__ now**', 'Set __version__ now'],
    ['Sell <!-- `not` __now__ --> **it**', 'Sell it'],
  ])('%s', (words, plain) => {
    for (const text of [`- [ ] ${words}`, `- T-1: ${words}`, `### T-1 ${words}`]) expect(story(text).title).toBe(plain)
  })

  test.each([
    '- **T-1: Sell** it',
    '- **T-1 Sell it**',
    '- __T-1: Sell it__',
    '### **T-1. Sell it**',
    '- [ ] **1. Sell it**',
    '## Tasks\n1. **1.1 Sell** it',
  ])('that holds the id: %j', (text) => {
    expect(story(text).title).toBe('Sell it')
  })

  test('around a scenario', () => {
    expect(story('**Scenario: Sell it**\nGiven a shop').title).toBe('Sell it')
    expect(story('**Scenario:** Sell it\nGiven a shop').title).toBe('Sell it')
  })
})
