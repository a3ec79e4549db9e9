import type { ScorecardTest, TestResult } from '../../../olm/bundle/index.ts';

const apiVersion = 'scorecard.operatorframework.io/v1alpha3';

/** The document of `-o json`: operator-sdk's, field by field. Source: operator-framework/api `pkg/apis/scorecard/v1alpha3` `TestList`. */
export function testListDocument(tests: readonly ScorecardTest[]): unknown {
  return { kind: 'TestList', apiVersion, items: tests.map(testDocument) };
}

function testDocument({ spec, results }: ScorecardTest): unknown {
  const { image, uniqueId, entrypoint, labels, mountPath } = spec;
  return {
    kind: 'Test',
    apiVersion,
    spec: {
      image,
      ...(uniqueId === undefined ? {} : { uniqueID: uniqueId }),
      ...(entrypoint.length === 0 ? {} : { entrypoint }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      storage: { spec: { mountPath: mountPath === undefined ? {} : { path: mountPath } } },
    },
    status: results.length === 0 ? {} : { results: results.map(resultDocument) },
  };
}

function resultDocument({ name, log, state, errors, suggestions, createdAt }: TestResult): unknown {
  return {
    name,
    ...(log === '' ? {} : { log }),
    state,
    ...(errors.length === 0 ? {} : { errors }),
    ...(suggestions.length === 0 ? {} : { suggestions }),
    creationTimestamp: createdAt ?? null,
  };
}
