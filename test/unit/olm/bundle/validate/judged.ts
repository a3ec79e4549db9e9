import type { BundleVerdict } from '../../../../../src/olm/bundle/index.ts';
import {
  joinResults,
  type JoinedFinding,
} from '../../../../../src/olm/bundle/validate/findings/collect-findings.ts';

/** The findings of a verdict by level, each once. */
export function judged<V extends Pick<BundleVerdict, 'results'>>(
  verdict: V,
): V & { readonly errors: readonly JoinedFinding[]; readonly warnings: readonly JoinedFinding[] } {
  const findings = joinResults(verdict.results);
  return {
    ...verdict,
    errors: findings.filter(({ level }) => level === 'error'),
    warnings: findings.filter(({ level }) => level === 'warning'),
  };
}
