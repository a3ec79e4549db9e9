import type { FindingList } from '../../errors/index.ts';
import { describeEvaluated, type EvaluatedProperty } from '../../schema/index.ts';
import { invalidDeclaration, isAbsent } from '../read-value.ts';

/** Reads `deprecated` of defineResource: whether the version is, or the warning that says so. */
export function readDeprecated(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): boolean | string {
  if (property === undefined || isAbsent(property)) return false;
  const { value } = property;
  if (value.type === 'opaque') {
    findings.add(value.finding);
    return false;
  }
  if (value.type !== 'scalar' || (typeof value.value !== 'boolean' && typeof value.value !== 'string')) {
    const message = `\`deprecated\` takes true, false or the text of the warning, not ${describeEvaluated(value)}`;
    findings.add(
      invalidDeclaration(message, value.place, 'write true, or a text that says what to use instead'),
    );
    return false;
  }
  return value.value;
}
