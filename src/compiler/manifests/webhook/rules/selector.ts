import { labelValueProblem, qualifiedNameProblem } from '../../../../kubernetes/crd/names.ts';
import { jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../../base/util/json-map.ts';
import type { AddViolation } from './violation.ts';

const withValues = ['In', 'NotIn'];
const withoutValues = ['Exists', 'DoesNotExist'];
const operators = [...withValues, ...withoutValues];

/** A label selector. Source: apimachinery `ValidateLabelSelector`. */
export function checkSelector(
  field: string,
  { matchLabels, matchExpressions }: JsonMap,
  add: AddViolation,
): void {
  const checkKey = (path: readonly (string | number)[], key: string): void => {
    const problem = qualifiedNameProblem(key);
    if (problem !== undefined)
      add(path, `${field}: the label '${key}' is not valid: ${problem}`, 'write the key of a label');
  };
  const checkValue = (path: readonly (string | number)[], value: string): void => {
    const problem = labelValueProblem(value);
    if (problem !== undefined)
      add(path, `${field}: the value '${value}' is not valid: ${problem}`, 'write the value of a label');
  };
  for (const [key, value] of Object.entries(jsonMapOf(matchLabels))) {
    checkKey([field, 'matchLabels', key], key);
    checkValue([field, 'matchLabels', key], jsonTextOf(value));
  }
  for (const [index, item] of jsonListOf(matchExpressions).entries()) {
    const requirement = jsonMapOf(item);
    const at = [field, 'matchExpressions', index];
    const operator = jsonTextOf(requirement['operator']);
    const values = jsonListOf(requirement['values']).map(jsonTextOf);
    checkKey([...at, 'key'], jsonTextOf(requirement['key']));
    for (const [position, value] of values.entries()) checkValue([...at, 'values', position], value);
    if (!operators.includes(operator)) {
      const expected = operators.join(', ');
      add(
        [...at, 'operator'],
        `${field}: expected one of ${expected}, got '${operator}'`,
        `write one of ${expected}`,
      );
    } else if (withValues.includes(operator) && values.length === 0)
      add([...at, 'values'], `${field}: the operator ${operator} needs values`, 'write at least one value');
    else if (withoutValues.includes(operator) && values.length > 0)
      add([...at, 'values'], `${field}: the operator ${operator} takes no values`, 'remove the values');
  }
}
