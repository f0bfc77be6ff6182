import { describeDifference, loosens } from './scripts.ts'
import type { Reach } from './text/commands.ts'
import { findDifferences } from './text/compare.ts'
import { type Finding, summarize, type Touched, wasAdded } from './text/finding.ts'
import { isTestByName } from './text/roles.ts'

type Kind = Finding['kind']

/** For files with a single purpose: reports every change. */
function changed(touched: Touched, kind: Kind, what: string): Finding[] {
  if (touched.status === 'deleted') return [{ kind, says: `${what} was deleted` }]
  if (touched.before === undefined || touched.after === undefined) return [{ kind, says: `${what} was changed` }]
  const found = findDifferences(touched)
  return found.length === 0 ? [] : [{ kind, says: summarize(found.map(describeDifference)) }]
}

const added = ({ after = '' }: Touched, kind: Kind, pattern: RegExp): Finding[] => {
  const line = after.split(/\r?\n/).find((each) => pattern.test(each))
  return line === undefined ? [] : [{ kind, says: wasAdded(line.trim()) }]
}

/** A new CI file is fine: no existing check was edited. */
export const checkCi = (touched: Touched): Finding[] =>
  touched.status === 'added' ? [] : changed(touched, 'ci-changed', 'the CI configuration')

export function checkConfig(touched: Touched): Finding[] {
  if (/(?:^|\/)vite\.config\./.test(touched.path)) return checkVite(touched)
  if (touched.status !== 'added') return changed(touched, 'config-changed', 'the test configuration')
  const isHidden = /(?:^|\/)\.(?:mocharc|rspec|taprc)/.test(touched.path)
  return added(touched, 'config-changed', isHidden ? /\w/ : loosens)
}

/** Vite also builds the product, so only lines about tests are reported. */
const checkVite = (touched: Touched): Finding[] => {
  const found = findDifferences(touched).filter(({ was = '', now = '' }) => viteTests.test(`${was}\n${now}`))
  return found.length === 0 ? [] : [{ kind: 'config-changed', says: summarize(found.map(describeDifference)) }]
}
const viteTests =
  /\btest\b|\binclude:|\bexclude:|setupFiles|environment:|coverage|thresholds|passWithNoTests|reporters|retry|bail/

export function checkLint(touched: Touched, { lints }: Reach): Finding[] {
  if (touched.status !== 'added') return changed(touched, 'lint-changed', 'the linter configuration')
  if (!lints) return []
  return added(
    touched,
    'lint-changed',
    touched.path.endsWith('ignore') ? /^(?!#|node_modules|dist|build|coverage|out\b)\S/ : offForAll,
  )
}
const offForAll =
  /ignor\w{0,20}["']?[:=]?\s?\[?\s?["']\*|enabled["']?\s?[:=]\s?false|exclude\s?=\s?\[?["']\.?\*|disable\s?=\s?all|ignore_errors\s?=\s?[Tt]rue/

/** Code that runs before tests. New fixtures are fine; code that patches the runner or the product is reported. */
export function checkSetup(touched: Touched): Finding[] {
  const isFixtures = /(?:^|\/)conftest\.py$/.test(touched.path)
  if (touched.status === 'added') return added(touched, 'config-changed', patches)
  if (touched.status !== 'modified' || touched.before === undefined || touched.after === undefined)
    return changed(touched, 'config-changed', 'the test setup')
  const found = findDifferences(touched)
  if (isFixtures && found.every(({ was }) => was === undefined) && !hasPatch(touched)) return []
  return found.length === 0 ? [] : [{ kind: 'config-changed', says: summarize(found.map(describeDifference)) }]
}

/** Additions to helpers are fine; changes to existing lines are reported. */
export function checkHelper(touched: Touched): Finding[] {
  if (touched.status === 'added') return added(touched, 'config-changed', patches)
  const found = touched.status === 'deleted' ? [] : findDifferences(touched)
  if (found.length > 0 && found.every(({ was }) => was === undefined) && !hasPatch(touched)) return []
  return changed(touched, isTestByName(touched.path) ? 'test-changed' : 'config-changed', 'a test helper')
}

const hasPatch = (touched: Touched): boolean => findDifferences(touched).some(({ now = '' }) => patches.test(now))
/** Code that patches a runner, an assertion or the product. */
const patches =
  /\bpytest_\w+|\bautouse\b|\bcollect_ignore|\bsetattr\(|\bmonkeypatch\b|\bmock\.patch|\b_exit\(|\bsys\.(?:modules|exit)|\batexit\b|\bbuiltins\b|^(?!self\b)[A-Za-z_]\w*(?:\.\w+)+\s?=(?!=)|\b(?:global|globalThis|window)\.\w+ ?=|\bexpect\.extend\b|\.prototype\.\w+ ?=|\bexpect ?=(?!=)|\bprocess\.(?:exit|on|exitCode)|\b(?:vi|jest)\.(?:mock|spyOn|doMock)\(|\bafter(?:Each|All)\(|\bObject\.defineProperty\(|\balias_method\b|\bclass_eval\b|\bat_exit\b|\bModule\._load|\bretry\b/
