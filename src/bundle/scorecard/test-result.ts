/** What a test says of a bundle: operator-sdk's words. `error`: the test itself could not judge. */
export type TestState = 'pass' | 'fail' | 'error';

/** Source: operator-framework/api `pkg/apis/scorecard/v1alpha3` `TestResult`. */
export interface TestResult {
  readonly name: string;
  readonly state: TestState;
  /** Text as the test wrote it; `''` if it wrote none. */
  readonly log: string;
  readonly errors: readonly string[];
  /** What would make the operator better; it does not fail a test. */
  readonly suggestions: readonly string[];
  /** When the test judged, RFC 3339; only tests of others say it. */
  readonly createdAt?: string;
}

/** What a built-in test gives: it need not know its name. */
export interface Judgement extends Pick<TestResult, 'state' | 'errors' | 'suggestions'> {
  /** Lines. */
  readonly log: readonly string[];
}
