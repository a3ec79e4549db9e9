/** Verdict of a test on a bundle, in operator-sdk's words. `error`: the test itself could not judge. */
export type TestState = 'pass' | 'fail' | 'error';

/** Source: operator-framework/api `pkg/apis/scorecard/v1alpha3` `TestResult`. */
export interface TestResult {
  readonly name: string;
  readonly state: TestState;
  /** Text as the test wrote it; `''` if it wrote none. */
  readonly log: string;
  readonly errors: readonly string[];
  /** Suggestions for a better operator; they do not fail a test. */
  readonly suggestions: readonly string[];
  /** When the test judged, RFC 3339; only tests of others say it. */
  readonly createdAt?: string;
}

/** Verdict of a built-in test, which need not know its name. */
export interface Judgement extends Pick<TestResult, 'state' | 'errors' | 'suggestions'> {
  /** Lines. */
  readonly log: readonly string[];
}
