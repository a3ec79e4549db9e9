import type { FindingList } from '../../errors/index.ts';
import type { EvaluatedProperty } from '../../schema/index.ts';
import { isAbsent, readObject, readScalar, type Placed } from '../read-value.ts';
import { labelKeyProblem, labelValueProblem } from './metadata-rules.ts';

/** The greatest size of all annotations together. Source: apimachinery `TotalAnnotationSizeLimitB`. */
const ANNOTATIONS_MAX = 262_144;

/** Reads `labels` or `annotations` of defineResource: those of the CustomResourceDefinition itself. */
export function readMetadata(
  findings: FindingList,
  name: 'labels' | 'annotations',
  property: EvaluatedProperty | undefined,
): Placed<Readonly<Record<string, string>>> | undefined {
  if (property === undefined || isAbsent(property)) return undefined;
  const fields = readObject(findings, property.value, `\`${name}\``);
  if (fields === undefined) return undefined;
  const [noun, article] = name === 'labels' ? ['label', 'a'] : ['annotation', 'an'];
  const invalid = (message: string, where: Placed<unknown>['place'], fix: string): void =>
    findings.add({ code: 'manifests/invalid-metadata', message, where, fix: [fix] });
  const read = [...fields].flatMap(([key, field]) => {
    // Annotations are compared in lower case. Source: apimachinery `ValidateAnnotations`.
    const keyProblem = labelKeyProblem(name === 'labels' ? key : key.toLowerCase());
    if (keyProblem !== undefined)
      invalid(
        `the key ${JSON.stringify(key)} of ${article} ${noun} is not valid: ${keyProblem}`,
        field.place,
        'write name or prefix.example.com/name',
      );
    const value = readScalar(findings, field, `the ${noun} \`${key}\``, 'string');
    if (value === undefined) return [];
    const problem = name === 'labels' ? labelValueProblem(value.value) : undefined;
    if (problem !== undefined)
      invalid(
        `the value ${JSON.stringify(value.value)} of the label \`${key}\` is not valid: ${problem}`,
        value.place,
        'write it as an annotation, or correct it',
      );
    return [[key, value.value] as const];
  });
  const size = read.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (name === 'annotations' && size > ANNOTATIONS_MAX)
    invalid(
      `the annotations have ${size} bytes; ${ANNOTATIONS_MAX} are allowed`,
      property.place,
      'shorten them',
    );
  return { value: Object.fromEntries(read), place: property.place };
}
