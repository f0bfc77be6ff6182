/** Patterns for the tests of a language. Each is matched against single lines without quoted text. */
export type Language = {
  readonly files: RegExp
  /** Matches one line of each test. */
  readonly opener: RegExp
  readonly assertion: RegExp
  /** Keeps one or more tests from running or counting. */
  readonly skip: RegExp
  /** Also keeps tests in other files from running: reported even in a new file. */
  readonly stops: RegExp
  readonly comment: RegExp
}

const slashes = /^(?:\/\/|\/\*|\*(?:[\s/]|$)|<!--)/
const hashes = /^#(?![[!])/
const never = /(?!)/

const unknown: Language = {
  files: /$/,
  opener: never,
  assertion: never,
  skip: never,
  stops: never,
  comment: /^(?:\/\/|#)/,
}

const languages: readonly Language[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
    opener: /^(?:await\s)?(?:it|test|specify|scenario|fit|t\.test|Deno\.test|QUnit\.test)\b[\w.$]*\s?[(`]/,
    assertion:
      /\bexpect\w*\s?[(.]|\bassert\w*\s?[(.]|\.should\b|\.to(?:Be|Equal|Match|Throw|Have|Contain|StrictEqual|Satisfy)\w*\(|\bt\.(?:is|deepEqual|equal|same|ok|true|false|truthy|falsy|throws\w*|rejects|like|regex|not\w*|plan)\(|\.(?:rejects|resolves)\b/,
    skip: /\b(?:it|test|describe|context|suite|specify|scenario|bench|t|ctx|this|task|fixture)(?:\.\w+){0,3}\.(?:skip|only|todo|fails|failing|fixme|skipIf|runIf|retries)\b|\b(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext)\b\s?[(.`]|\b(?:skip|todo|only|fails): ?(?:true\b|'|"|`|!)|\b(?:it|test|describe)\[|\bprocess\.(?:exit\((?:0|\))|exitCode ?= ?0)|\bDeno\.exit\((?:0|\))|\bjest\.retryTimes\(|\bignore: ?true\b/,
    stops:
      /\b(?:it|test|describe|suite|context)(?:\.\w+){0,3}\.only\b|\b(?:fit|fdescribe|fcontext)\b\s?\(|^(?:process|Deno)\.exit\((?:0|\))|^process\.on\(|\bprocess\.exitCode ?= ?0/,
    comment: slashes,
  },
  {
    files: /\.py$/,
    opener: /^(?:async )?def test\w*/,
    assertion:
      /^assert\b|\bself\.(?:assert|fail)\w*|\bassert_\w+\(|\b(?:pytest|self)\.(?:raises|approx|warns|assertRaises)\b|\.assert_\w+\(/,
    skip: /@[\w.]*\b(?:skip|skipif|skipIf|skipUnless|xfail|expectedFailure|flaky)\b|\bpytest\.(?:skip|xfail|importorskip|exit)\(|\.skipTest\(|\braise (?:\w+\.)?(?:SkipTest|SystemExit)|^(?:sys\.exit|os\._exit|os\.abort|exit|quit)\(|^pytestmark ?=|^__test__ ?= ?False|\bmark\.(?:skip|xfail)|^collect_ignore/,
    stops: /\bos\._exit\(|^(?:sys\.exit|exit|quit)\(|\bpytest\.exit\(|\batexit\.register\(/,
    comment: hashes,
  },
  {
    files: /\.go$/,
    opener: /^func (?:\([^)]*\) ?)?(?:Test|Fuzz|Example|Benchmark)\w*\(|^t\.Run\(/,
    assertion:
      /\b[tb]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:assert|require|is|qt|s|suite)\.[A-Z]\w*\(|^if [^{]*[!=]=|^if !?\w+\.\w+\(/,
    skip: /\b[tbfs]\.(?:Skip|SkipNow|Skipf)\(|\.T\(\)\.Skip|\bos\.Exit\(0\)|^\/\/(?:go:build|\s\+build)\b/,
    stops: /\bos\.Exit\(0\)/,
    comment: /^(?:\/\/(?!go:build|\s\+build)|\/\*|\*(?:[\s/]|$))/,
  },
  {
    files: /\.rs$/,
    opener: /^#\[(?:\w+::)?(?:test|rstest|test_case|quickcheck)\b/,
    assertion: /\b(?:debug_)?assert\w*!|\bpanic!|\bshould_panic\b|\.unwrap_err\(|\bprop_assert\w*!/,
    skip: /^#!?\[ignore\b|^#!?\[cfg_attr\([^)]*\bignore\b|^#!?\[cfg\((?:any\(\)|not\(|feature|FALSE|false)|\bprocess::exit\(0\)/,
    stops: /\bprocess::exit\(0\)/,
    comment: /^(?:\/\/|\/\*|\*(?:[\s/]|$))/,
  },
  {
    files: /\.(?:java|kts?|scala|groovy)$/,
    opener:
      /^@(?:\w+\.)*(?:Parameterized|Repeated|Property)?Test\b|^@(?:TestFactory|Property)\b|^(?:test|it|should|def ")\b/,
    assertion: /\bassert\w*\s?[({.]|\bverify\w*\(|\bshould\w*\b|\bfail\(|\bexpect\w*\(|\.andExpect\(|^(?:then|expect):/,
    skip: /@(?:\w+\.)*(?:Disabled|Ignore|EnabledIf|PendingFeature)\w*|\bassum\w+\(|\bSystem\.exit\(0\)|\bexitProcess\(0\)|\benabled ?= ?false|^ignore\(|\bxtest\(|\bTestAborted|\bSkipException\b|\.config\(enabled/,
    stops: /\bSystem\.exit\(0\)|\bexitProcess\(0\)|\bRuntime\.getRuntime\(\)\.halt\(0\)/,
    comment: slashes,
  },
  {
    files: /\.rb$/,
    opener: /^(?:it|specify|scenario|example|test)\b ?[('"]|^def test_/,
    assertion: /\bexpect\b|\bassert\w*\b|\brefute\w*\b|\bmust_\w+|\bwont_\w+|\.should\b|\bis_expected\b|\bflunk\b/,
    skip: /^(?:xit|xdescribe|xcontext|xspecify|xscenario|fit|fdescribe|fcontext|pending|skip)(?:$| ?[('"]| if | unless )|, ?:?(?:skip|pending|focus)\b|^(?:exit|abort|at_exit|exit!)(?:$| ?\(?0| ?\{| do\b)/,
    stops: /^(?:fit|fdescribe|fcontext)\b|, ?:?focus\b|^(?:exit|at_exit|exit!)(?:$| ?\(?0| ?\{| do\b)/,
    comment: /^(?:#|=begin)/,
  },
  {
    files: /\.php[t]?$/,
    opener: /\bfunction test\w*|^#\[Test\b|^\*? ?@test\b|^(?:it|test)\(/,
    assertion: /(?:->|::)assert\w*\(|\bexpect\(|->expect\w*\(|->to(?:Be|Equal|Throw|Have|Match)\w*\(|\bassert\(/,
    skip: /markTest(?:Skipped|Incomplete)|->(?:skip|todo|only)\(|\bexit ?(?:\( ?0? ?\)|;|$)|\bdie\(|[Dd]oesNotPerformAssertions|^#\[Requires/,
    stops: /->only\(|^exit ?(?:\( ?0? ?\)|;)|^die\(|\bregister_shutdown_function\(/,
    comment: /^(?:\/\/|#(?!\[)|\/\*|\*(?! ?@test))/,
  },
  {
    files: /\.(?:cs|fs|vb)$/,
    opener: /^\[(?:Fact|Theory|Test|TestMethod|TestCase|DataTestMethod|Property)\b/,
    assertion: /\bAssert\.\w+|\.Should\w*\(|\.Verify\w*\(|\bExpect\(|^\[ExpectedException/,
    skip: /\[(?:Ignore|Explicit)\b|\bSkip ?= ?"|\bIgnore ?= ?"|\bAssert\.(?:Ignore|Inconclusive|Pass|Skip)\(|\bSkip\.If|\bEnvironment\.Exit\(0\)|^#if (?:false|FALSE|NEVER|SKIP)/,
    stops: /\bEnvironment\.Exit\(0\)/,
    comment: slashes,
  },
  {
    files: /\.swift$/,
    opener: /^@Test\b|^(?:override )?func test\w*/,
    assertion: /\bXCT(?:Assert|Unwrap|Fail)\w*|#(?:expect|require)\b|\bexpect\(/,
    skip: /\bXCTSkip|\bXCTExpectFailure|\.disabled\(|\.enabled\(if: ?false|\bexit\(0\)|\bwithKnownIssue\b|^#if (?:false|NEVER|0)/,
    stops: /\bexit\(0\)/,
    comment: slashes,
  },
  {
    files: /\.exs?$/,
    opener: /^(?:test|property|feature) "/,
    assertion: /\b(?:assert|refute)\w*\b|\bflunk\b/,
    skip: /^@(?:module|describe)?tag\b[^#]*\b(?:skip|pending|disabled)\b|\bSystem\.(?:halt|stop)\((?:0|\))|\bExUnit\.configure\(/,
    stops: /\bSystem\.(?:halt|stop)\((?:0|\))/,
    comment: hashes,
  },
  {
    files: /\.(?:bats|sh|bash)$/,
    opener: /^@test\b|^(?:function )?test_?\w+ ?\(\)/,
    assertion: /^\[\[? |^assert\w*\b|^refute\w*\b|^run\b|^test |^\(\(|\bgrep -\w*q|^diff |^cmp /,
    skip: /^skip\b|^exit 0\b|^return 0\b|\|\| ?(?:true|:|exit 0|return 0)(?:$|[ ;)])|^set \+e\b|^trap .*EXIT/,
    stops: never,
    comment: hashes,
  },
  {
    files: /\.(?:c|cc|cpp)$/,
    opener: /^TEST(?:_F|_P|_CASE)?\(/,
    assertion: /\b(?:EXPECT|ASSERT|CHECK|REQUIRE)\w*\(|\bassert\(/,
    skip: /\bGTEST_SKIP|\bDISABLED_|\b_?exit\((?:0|EXIT_SUCCESS)\)|^#if 0|\bSKIP\(/,
    stops: /\b_?exit\((?:0|EXIT_SUCCESS)\)/,
    comment: slashes,
  },
  {
    files: /\.feature$/,
    opener: /^(?:Scenario|Example)\b/,
    assertion: /^(?:Then|And|But)\b/,
    skip: /^@[^#]*(?:skip|wip|ignore|pending|disabled)/,
    stops: never,
    comment: /^#/,
  },
]

export const findLanguage = (path: string): Language => languages.find(({ files }) => files.test(path)) ?? unknown

/** Assertions that hold for almost any value: replacing another assertion with one of these weakens the test. */
export const weakAssertion =
  /\.(?:toBeDefined|toBeTruthy|toBeFalsy|toBeUndefined|toBeNull|toBeInstanceOf|toHaveBeenCalled)\(\)|\bexpect\.any|assert(?:True|\.ok)?\(?\s?(?:True|true)\b|is not None|\.notNil|NotNull|not_nil|IsNotNull|assert\.NotNil|expect\(true\)/
