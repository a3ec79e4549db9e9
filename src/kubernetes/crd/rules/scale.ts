import { isJsonMap, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import type { JSONSchemaProps } from '../json-schema-props.ts';
import { followSteps } from './follow-path.ts';
import type { FieldPath, Violation } from './violation.ts';

/** Requirements of the API server for each path. Source: apiextensions `ValidateCustomResourceDefinitionSubresources`. */
const parts = [
  { field: 'specReplicasPath', below: ['.spec.'], type: 'integer', example: '.spec.replicas' },
  { field: 'statusReplicasPath', below: ['.status.'], type: 'integer', example: '.status.replicas' },
  { field: 'labelSelectorPath', below: ['.status.', '.spec.'], type: 'string', example: '.status.selector' },
] as const;

/**
 * The scale subresource of a version. Warnings are paths that lead to no field, or to one of another type: the API server takes them, and
 * scaling fails.
 */
export function checkScale(version: JsonMap, schema: JSONSchemaProps, at: FieldPath): readonly Violation[] {
  const { scale } = jsonMapOf(version['subresources']);
  if (!isJsonMap(scale)) return [];
  const path = [...at, 'subresources', 'scale'];
  return parts.flatMap(({ field, below, type, example }): readonly Violation[] => {
    const value = jsonTextOf(scale[field]);
    const here = [...path, field];
    const fix = `name a field such as ${example}`;
    if (value === '') {
      // Of the selector, an empty path is none.
      if (field === 'labelSelectorPath') return [];
      return [{ path: here, code: 'crd/scale', message: `the scale subresource has no ${field}`, fix }];
    }
    if (!below.some((prefix) => value.startsWith(prefix))) {
      const places = below.map((prefix) => prefix.slice(0, -1)).join(' or ');
      const message = `the ${field} '${value}' of the scale subresource is not below ${places}`;
      return [{ path: here, code: 'crd/scale', message, fix }];
    }
    const steps = value
      .slice(1)
      .split('.')
      .map((name) => ({ type: 'field', name }) as const);
    const reached = followSteps(schema, steps);
    const lost = typeof reached === 'string' ? reached : undefined;
    const actual = typeof reached === 'string' ? undefined : reached.type;
    if (lost === undefined && (actual === undefined || actual === type)) return [];
    return [
      {
        path: here,
        code: 'crd/scale-path',
        message: `the ${field} ${value} of the scale subresource will not work: ${lost ?? `the field is of type ${actual}, not ${type}`}`,
        fix: type === 'string' ? 'name a string that holds the label selector' : 'name an integer of 32 bits',
      },
    ];
  });
}
