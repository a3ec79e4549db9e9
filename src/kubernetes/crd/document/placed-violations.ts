import { severityOf, type Finding, type Where } from '../../../base/errors/index.ts';
import type { FieldPath, Violation } from '../rules/violation.ts';

/** Violations with their places, as findings. */
export interface PlacedViolations {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Gives violations their places. */
export function placed(
  violations: readonly Violation[],
  locate: (path: FieldPath) => Where | undefined,
): PlacedViolations {
  const findings = violations.map(({ path, code, message, fix }): Finding => {
    const where = locate(path);
    return { code, message, ...(where === undefined ? {} : { where }), fix: [fix] };
  });
  return {
    errors: findings.filter(({ code }) => severityOf(code) === 'error'),
    warnings: findings.filter(({ code }) => severityOf(code) === 'warning'),
  };
}
