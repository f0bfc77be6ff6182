import type { Reporter, TestCase, TestModule } from 'vitest/node'

const minute = 60_000

/**
 * For CI. Prints the last line of a test run: `Tests: 12 passed, 0 failed`. Ends a run that stands still and says where: longer than any test may
 * take, no test has begun or ended.
 */
export default class ClosingLine implements Reporter {
  readonly #running = new Map<string, string>()
  #moved = Date.now()
  #watch: NodeJS.Timeout | undefined

  onTestRunStart(): void {
    this.#moved = Date.now()
    this.#watch = setInterval(() => {
      const idle = Date.now() - this.#moved
      if (idle < 15 * minute) return
      const where = [...this.#running].map(([file, test]) => `${file} > ${test}`)
      process.stdout.write(
        `No test began or ended for ${Math.round(idle / minute)} minutes. Running:\n${where.join('\n')}\n`,
      )
      process.exit(1)
    }, minute)
    this.#watch.unref()
  }

  onTestModuleStart(module: TestModule): void {
    this.#see(module, 'loading')
  }

  onTestCaseReady(test: TestCase): void {
    this.#see(test.module, test.fullName)
  }

  onTestCaseResult(test: TestCase): void {
    this.#see(test.module, `after ${test.fullName}`)
  }

  onTestModuleEnd(module: TestModule): void {
    this.#moved = Date.now()
    this.#running.delete(module.relativeModuleId)
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    clearInterval(this.#watch)
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

  #see({ relativeModuleId }: TestModule, what: string): void {
    this.#moved = Date.now()
    this.#running.set(relativeModuleId, what)
  }
}
