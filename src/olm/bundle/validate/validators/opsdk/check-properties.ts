import { listOf, mapOf, textOf } from '../../fields.ts';
import type { Check, PlacedDocument, Report } from '../../types.ts';

/** `metadata/properties.yaml`: a list of types and values. Source: operator-registry `PropertiesFile`. */
export const checkProperties: Check<'opsdk'> = ({ properties: file, dependencies }, report) => {
  if (dependencies !== undefined && !Array.isArray(dependencies.value['dependencies']))
    report.error(
      'bundle/invalid-dependency',
      [dependencies, ['dependencies']],
      'dependencies is not a list',
      'write a list',
    );
  if (file === undefined) return;
  const list = file.value['properties'];
  if (!Array.isArray(list)) {
    report.error(
      'bundle/invalid-property',
      [file, ['properties']],
      'properties is not a list',
      'write a list',
    );
    return;
  }
  for (const [index, item] of listOf(list).entries()) checkProperty(file, index, mapOf(item), report);
};

function checkProperty(
  file: PlacedDocument,
  index: number,
  property: Readonly<Record<string, unknown>>,
  { error }: Report<'opsdk'>,
): void {
  if (textOf(property['type']) === '') {
    const message = `properties[${index}] has no type`;
    error(
      'bundle/invalid-property',
      [file, ['properties', index]],
      message,
      'write its type, such as olm.maxOpenShiftVersion',
    );
  }
  if (property['value'] === undefined || property['value'] === null) {
    const message = `properties[${index}] has no value`;
    error('bundle/invalid-property', [file, ['properties', index]], message, 'write its value, of any form');
  }
}
