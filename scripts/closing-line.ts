import type { Reporter, TestModule } from 'vitest/node'

/** Prints the last line of a test run, for CI: `Tests: 12 passed, 0 failed`. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0
    // A file that does not load has no tests, and an error may occur outside a test. Both count as failures.
    let failed = unhandledErrors.length
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      const failures = states.filter((state) => state === 'failed').length
      passed += states.filter((state) => state === 'passed').length
      failed += failures === 0 && module.state() === 'failed' ? 1 : failures
    }
    process.stdout.write(`Tests: ${passed} passed, ${failed} failed\n`)
  }
}
