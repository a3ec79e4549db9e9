import type { FindingList } from '../../errors/index.ts';
import type { EvaluatedProperty, SourcePlace } from '../../schema/index.ts';
import { isAbsent, readObject, readScalar } from '../read-value.ts';
import type { PlacedParts } from './kind-version.ts';

/** Reads `labels` or `annotations` of defineResource: those of the CustomResourceDefinition itself. */
export function readMetadata(
  findings: FindingList,
  name: 'labels' | 'annotations',
  property: EvaluatedProperty | undefined,
): PlacedParts<Readonly<Record<string, string>>> | undefined {
  if (property === undefined || isAbsent(property)) return undefined;
  const fields = readObject(findings, property.value, `\`${name}\``);
  if (fields === undefined) return undefined;
  const noun = name === 'labels' ? 'label' : 'annotation';
  const parts = new Map<string, SourcePlace>();
  const read = [...fields].flatMap(([key, field]) => {
    parts.set(key, field.place);
    const value = readScalar(findings, field, `the ${noun} \`${key}\``, 'string');
    return value === undefined ? [] : [[key, value.value] as const];
  });
  return { value: Object.fromEntries(read), place: property.place, parts };
}
