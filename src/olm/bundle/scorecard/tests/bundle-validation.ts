import { formatWhere } from '../../../../base/errors/format.ts';
import type { BundleResult } from '../../validate/findings/collect-findings.ts';
import { joinResults, type JoinedFinding } from '../../validate/findings/join-results.ts';
import type { Judgement } from '../test-result.ts';

/** The validators that scorecard runs: those of the bundle's form, and operator-framework's default ones. */
const validators: ReadonlySet<string> = new Set(['format', 'bundle', 'csv', 'crd']);

/** `olm-bundle-validation`. Source: operator-sdk `internal/scorecard/tests/olm.go` `BundleValidationTest`. */
export function bundleValidation(results: readonly BundleResult[]): Judgement {
  const own = joinResults(
    // Without a ClusterServiceVersion operator-framework reads no bundle; `content` says so here.
    results.filter(({ validator, rule }) => validators.has(validator) || rule === 'bundle/no-csv'),
  );
  const errors = own.filter(({ level }) => level === 'error').map(asLine);
  const suggestions = own.filter(({ level }) => level === 'warning').map(asLine);
  const log = [`ran the validators ${[...validators].join(', ')}`];
  return { state: errors.length === 0 ? 'pass' : 'fail', log, errors, suggestions };
}

/** Codes that only this test looks at; without anything else the other tests cannot read the bundle. */
const ofMetadata: ReadonlySet<string> = new Set([
  'bundle/missing-annotation',
  'bundle/invalid-annotation',
  'bundle/invalid-dependency',
]);

/** Why a bundle cannot be read; empty if it can. */
export function unreadableBecause(results: readonly BundleResult[]): readonly string[] {
  return joinResults(
    results.filter(
      ({ validator, rule, level }) =>
        level === 'error' && ((validator === 'format' && !ofMetadata.has(rule)) || rule === 'bundle/no-csv'),
    ),
  ).map(asLine);
}

function asLine({ code, message, where }: JoinedFinding): string {
  return `${where === undefined ? '' : `${formatWhere(where)}: `}${message} [${code}]`;
}
