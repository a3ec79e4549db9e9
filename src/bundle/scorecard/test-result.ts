/** What a test says of a bundle: operator-sdk's words. `error`: the test itself could not judge. */
export type TestState = 'pass' | 'fail' | 'error';

/** Source: operator-framework/api `pkg/apis/scorecard/v1alpha3` `TestResult`. */
export interface TestResult {
  readonly name: string;
  readonly state: TestState;
  /** Lines. */
  readonly log: readonly string[];
  readonly errors: readonly string[];
  /** What would make the operator better; it does not fail a test. */
  readonly suggestions: readonly string[];
}

/** What a built-in test gives: it need not know its name. */
export type Judgement = Omit<TestResult, 'name'>;
