import type { FindingList } from '../../errors/index.ts';
import type { EvaluatedProperty } from '../../schema/index.ts';
import {
  invalidDeclaration,
  isAbsent,
  readObject,
  readScalar,
  readStrings,
  type Placed,
} from '../read-value.ts';
import type { ScalePaths } from './kind-version.ts';

/** Reads `subresources` of defineResource, which can only be empty: what there is has properties of its own. */
export function readEmptySubresources(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): boolean {
  if (property === undefined || isAbsent(property)) return false;
  const fields = readObject(findings, property.value, '`subresources`');
  for (const [name, field] of fields ?? []) {
    const known = name === 'status' || name === 'scale';
    const fix = known ? `say \`${name}\` of defineResource itself` : 'leave it out';
    findings.add(invalidDeclaration(`\`subresources\` is \`{}\` or left out`, field.place, fix));
  }
  return fields !== undefined;
}

/** Reads `scale` of defineResource. */
export function readScale(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): ScalePaths | undefined {
  if (property === undefined || isAbsent(property)) return undefined;
  const fields = readObject(findings, property.value, '`scale`', ['spec', 'status', 'selector']);
  if (fields === undefined) return undefined;
  const path = (name: string): Placed<string> | undefined =>
    readScalar(findings, fields.get(name), `\`${name}\` of \`scale\``, 'string');
  const [spec, status, selector] = [path('spec'), path('status'), path('selector')];
  for (const [name, example] of [
    ['spec', '.spec.replicas'],
    ['status', '.status.replicas'],
  ] as const) {
    if (isAbsent(fields.get(name)))
      findings.add(
        invalidDeclaration(
          `\`scale\` lacks \`${name}\``,
          property.value.place,
          `add \`${name}: '${example}'\``,
        ),
      );
  }
  if (spec === undefined || status === undefined) return undefined;
  return { spec, status, ...(selector === undefined ? {} : { selector }) };
}

/** Reads `selectableFields` of defineResource. */
export function readSelectableFields(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): Placed<readonly Placed<string>[]> | undefined {
  const value = readStrings(findings, property?.value, '`selectableFields`');
  return property === undefined || value === undefined ? undefined : { value, place: property.place };
}
