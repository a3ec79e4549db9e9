import { examplesOf, exampleName, type ManifestTest } from './subject.ts';

/** `basic-check-spec`: an example without `spec` is worth a remark. Source: operator-sdk `internal/scorecard/tests/basic.go`. */
export const checkSpec: ManifestTest = (subject) => {
  const parsed = examplesOf(subject);
  if ('problem' in parsed) return { state: 'fail', log: [], errors: [parsed.problem], suggestions: [] };
  const bare = parsed.examples.filter(({ spec }) => spec === undefined || spec === null);
  const suggestions = bare.map((example) => `add a spec to the example ${exampleName(example)}`);
  return { state: 'pass', log: [], errors: [], suggestions };
};
