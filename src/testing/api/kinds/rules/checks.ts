import {
  forbiddenValue,
  goJson,
  invalidValue,
  isObject,
  labelErrors,
  labelProblems,
  labelValueProblems,
  listOf,
  objectOf,
  pathSegmentProblems,
  qualifiedNameProblems,
  required,
  unsupportedValue,
  type FieldError,
  type Json,
  type JsonObject,
} from '../../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../../base/util/json-map.ts';
import { milliValue } from '../../../../base/util/quantity.ts';

/** Returns the objects of a list. */
export const objectsOf = (list: Json | undefined): readonly JsonObject[] => listOf(list).filter(isObject);

export const specOf = (object: JsonObject): JsonObject => objectOf(object['spec']);

/** Returns an error for a number below 0. */
export function nonNegative(value: Json | undefined, field: string): readonly FieldError[] {
  return typeof value === 'number' && value < 0
    ? [invalidValue(field, value, 'must be greater than or equal to 0')]
    : [];
}

/** Returns an error for a number that is not above 0. */
export function positive(value: Json, field: string): readonly FieldError[] {
  return Number(value) > 0 ? [] : [invalidValue(field, value, 'must be greater than zero')];
}

/** Returns an error for a quantity that is not above 0. */
export function positiveQuantity(quantity: Json, field: string): readonly FieldError[] {
  const text = jsonTextOf(quantity);
  return milliValue(text) > 0n ? [] : [invalidValue(field, text, 'must be greater than zero')];
}

/** Returns the errors of those fields of an object that are below 0. */
export function nonNegativeFields(
  object: JsonObject,
  path: string,
  ...names: readonly string[]
): FieldError[] {
  return names.flatMap((name) => nonNegative(object[name], `${path}.${name}`));
}

/**
 * Returns an error if a field has changed.
 *
 * @param shown value in the message. Rules that the server generates from its types show none: null
 */
export function immutable(
  now: Json | undefined,
  before: Json | undefined,
  field: string,
  shown: Json = now ?? null,
): readonly FieldError[] {
  return isEqualJson(now ?? null, before ?? null) ? [] : [invalidValue(field, shown, 'field is immutable')];
}

/** Returns an error if a value is not one of the supported ones. An absent value is allowed. */
export function choiceErrors(
  value: Json | undefined,
  field: string,
  supported: readonly string[],
): readonly FieldError[] {
  if (value === undefined || supported.includes(jsonTextOf(value))) return [];
  return [unsupportedValue(field, value, supported)];
}

/** Returns an error for each problem of a name. An absent name has none. */
export function nameErrors(
  value: Json | undefined,
  field: string,
  rule: (name: string) => readonly string[] = labelProblems,
): readonly FieldError[] {
  const name = jsonTextOf(value);
  return name === '' ? [] : rule(name).map((problem) => invalidValue(field, name, problem));
}

export const standardFinalizers: ReadonlySet<string> = new Set([
  'orphan',
  'foregroundDeletion',
  'kubernetes',
]);

/** Returns an error for a finalizer of a built-in kind without a domain. Source: kubernetes `validateKubeFinalizerName`. */
export function plainFinalizerErrors(name: string, field: string): readonly FieldError[] {
  if (name.includes('/') || standardFinalizers.has(name)) return [];
  return [invalidValue(field, name, 'name is neither a standard finalizer name nor is it fully qualified')];
}

/** Returns an error for each problem of a value, also of an empty one. An absent value has none. */
export function problemErrors(
  value: Json | undefined,
  field: string,
  rule: (text: string) => readonly string[],
): readonly FieldError[] {
  if (value === undefined || value === null) return [];
  return rule(jsonTextOf(value)).map((problem) => invalidValue(field, value, problem));
}

/** Returns the errors of a name that must be there, and be valid as a segment of a path. */
export function neededNameErrors(value: Json | undefined, field: string): readonly FieldError[] {
  return jsonTextOf(value) === '' ? [required(field)] : nameErrors(value, field, pathSegmentProblems);
}

const keyProblem =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Returns the problems of a key of a ConfigMap or a Secret. Source: apimachinery `IsConfigMapKey`. */
export function configKeyProblems(key: string): readonly string[] {
  return [
    ...(Buffer.byteLength(key) > 253 ? ['must be no more than 253 characters'] : []),
    ...(/^[-._a-zA-Z0-9]+$/.test(key) ? [] : [keyProblem]),
    ...(key === '.' || key === '..'
      ? [`must not be '${key}'`]
      : key.startsWith('..')
        ? [`must not start with '..'`]
        : []),
  ];
}

const portRange = 'must be between 1 and 65535, inclusive';

/** Returns an error for a number that is not the number of a port. */
export function portNumberErrors(value: Json | undefined, field: string): readonly FieldError[] {
  return typeof value === 'number' && (value < 1 || value > 65_535)
    ? [invalidValue(field, value, portRange)]
    : [];
}

/** Returns the problems of the name of a port. Source: apimachinery `IsValidPortName`. */
export function portNameProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name !== '' && (name.startsWith('-') || name.endsWith('-')))
    problems.push('must not begin or end with a hyphen');
  return problems;
}

/** Returns the errors of a field that holds the number or the name of a port. */
export function portErrors(value: Json | undefined, field: string): readonly FieldError[] {
  if (typeof value !== 'string') return portNumberErrors(value ?? 0, field);
  return portNameProblems(value).map((problem) => invalidValue(field, value, problem));
}

/** Returns the errors of a number of Pods or a percentage. */
export function intOrPercentErrors(value: Json | undefined, field: string): readonly FieldError[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return nonNegative(value, field);
  return /^[0-9]+%$/.test(value)
    ? []
    : [
        invalidValue(
          field,
          value,
          "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
        ),
      ];
}

export function over100Errors(value: Json | undefined, field: string): readonly FieldError[] {
  const isOver = typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100;
  return isOver ? [invalidValue(field, value, 'must not be greater than 100%')] : [];
}

/** Returns the errors of a label selector. Source: apimachinery `ValidateLabelSelector`. */
export function selectorErrors(selector: Json | undefined, path: string): readonly FieldError[] {
  const { matchLabels, matchExpressions } = objectOf(selector);
  const errors: FieldError[] = [...labelErrors(matchLabels, `${path}.matchLabels`)];
  for (const [index, { key, operator, values }] of objectsOf(matchExpressions).entries()) {
    const at = `${path}.matchExpressions[${index}]`;
    const count = listOf(values).length;
    if (operator === 'In' || operator === 'NotIn') {
      if (count === 0)
        errors.push(required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (count > 0)
        errors.push(
          forbiddenValue(
            `${at}.values`,
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          ),
        );
    } else errors.push(invalidValue(`${at}.operator`, operator ?? '', 'not a valid selector operator'));
    for (const problem of qualifiedNameProblems(jsonTextOf(key)))
      errors.push(invalidValue(`${at}.key`, key ?? '', problem));
    for (const [number, value] of listOf(values).entries())
      for (const problem of labelValueProblems(jsonTextOf(value)))
        errors.push(invalidValue(`${at}.values[${number}]`, value, problem));
  }
  return errors;
}

/** Returns true if labels match a label selector. A selector without requirements matches everything. */
export function selectorMatches(selector: Json | undefined, labels: JsonObject): boolean {
  const { matchLabels, matchExpressions } = objectOf(selector);
  if (Object.entries(objectOf(matchLabels)).some(([name, value]) => labels[name] !== value)) return false;
  return objectsOf(matchExpressions).every(({ key, operator, values }) => {
    const value = labels[jsonTextOf(key)];
    const isIn = value !== undefined && listOf(values).includes(value);
    if (operator === 'In') return isIn;
    if (operator === 'NotIn') return !isIn;
    return operator === 'Exists' ? value !== undefined : value === undefined;
  });
}

/** Returns a label selector as text, as the scale subresource shows it. */
export function selectorText(selector: Json | undefined): string {
  const { matchLabels, matchExpressions } = objectOf(selector);
  const terms = Object.entries(objectOf(matchLabels)).map(([key, value]) => ({
    key,
    text: `${key}=${jsonTextOf(value)}`,
  }));
  for (const { key: name, operator, values } of objectsOf(matchExpressions)) {
    const key = jsonTextOf(name);
    const list = listOf(values).map(jsonTextOf).sort().join(',');
    if (operator === 'In') terms.push({ key, text: `${key} in (${list})` });
    else if (operator === 'NotIn') terms.push({ key, text: `${key} notin (${list})` });
    else terms.push({ key, text: operator === 'Exists' ? key : `!${key}` });
  }
  return terms
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ text }) => text)
    .join(',');
}

/** Returns the error of a selector, with its fields in the order of their Go type: labels first. */
export function invalidSelector(selector: Json | undefined, field: string, detail: string): FieldError {
  if (!isObject(selector)) return invalidValue(field, selector ?? null, detail);
  const { matchLabels, matchExpressions } = selector;
  const parts = [
    ...(isObject(matchLabels) ? [`"matchLabels":${goJson(matchLabels)}`] : []),
    ...(Array.isArray(matchExpressions) ? [`"matchExpressions":${goJson(matchExpressions)}`] : []),
  ];
  const shown = `Invalid value: {${parts.join(',')}}`;
  return { type: 'FieldValueInvalid', field, body: detail === '' ? shown : `${shown}: ${detail}` };
}
