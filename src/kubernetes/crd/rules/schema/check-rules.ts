import {
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  type JsonMap,
  isJsonMap,
} from '../../../../base/util/json-map.ts';
import { readCel, usesOldSelf } from '../../cel/cel-syntax.ts';
import { checkCel } from '../../cel/cel-problems.ts';
import { celTypeOf, type CelType } from '../../cel/cel-type.ts';
import { namedCelType } from '../../cel/cel-words.ts';
import type { Problem, Schema, SchemaPath } from './check-forms.ts';

const reasons = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate'];

/**
 * The CEL rules of a schema: all that is certain without compiling their expressions.
 *
 * @param isRoot the schema of the whole object
 * @param changing the list around the schema whose items lose their identity with a change, if there is one
 */
export function checkRules(
  schema: Schema,
  path: SchemaPath,
  { isRoot, changing }: { readonly isRoot: boolean; readonly changing: SchemaPath | undefined },
  problem: Problem,
): void {
  const rules = jsonListOf(schema['x-kubernetes-validations']);
  if (rules.length === 0) return;
  const self = celTypeOf(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true);
  if (self === undefined)
    problem(
      [...path, 'x-kubernetes-validations'],
      'rules cannot read a value without a type, nor a list or a map of such values',
    );
  for (const [index, item] of rules.entries()) {
    const at = [...path, 'x-kubernetes-validations', index];
    const rule = jsonMapOf(item);
    checkTexts(rule, at, problem);
    if (self !== undefined) checkExpressions(rule, self, at, problem);
    checkFieldPath(schema, jsonTextOf(rule['fieldPath']), [...at, 'fieldPath'], problem);
    checkOldSelf(rule, at, changing, problem);
  }
}

function checkTexts(rule: JsonMap, path: SchemaPath, problem: Problem): void {
  const expression = jsonTextOf(rule['rule']).trim();
  const message = jsonTextOf(rule['message']);
  if (expression === '') problem(path, 'the rule is empty');
  else if (message !== '' && message.trim() === '') problem([...path, 'message'], 'the message is blank');
  else if (/[\r\n]/.test(message.trim())) problem([...path, 'message'], 'the message has several lines');
  else if (/[\r\n]/.test(expression) && message === '')
    problem([...path, 'rule'], 'a rule of several lines needs a message');
  const messageExpression = jsonTextOf(rule['messageExpression']);
  if (messageExpression !== '' && messageExpression.trim() === '')
    problem([...path, 'messageExpression'], 'messageExpression is blank');
  const { reason } = rule;
  if (reason !== undefined && reason !== null && !reasons.includes(jsonTextOf(reason)))
    problem(
      [...path, 'reason'],
      `unknown reason ${jsonTextOf(reason)}; expected one of ${reasons.join(', ')}`,
    );
}

function checkExpressions(rule: JsonMap, self: CelType, path: SchemaPath, problem: Problem): void {
  const oldSelf: CelType = rule['optionalOldSelf'] === true ? { kind: 'optional', of: self } : self;
  for (const { field, title, result, says } of expressions) {
    const expression = jsonTextOf(rule[field]).trim();
    if (expression === '') continue;
    const at = [...path, field];
    const read = readCel(expression);
    if ('problem' in read) {
      problem(at, `${title} is not valid CEL: ${read.problem}`);
      continue;
    }
    const { type, problems } = checkCel(read.tree, { self, oldSelf });
    for (const text of problems) problem(at, `${title} does not fit the schema: ${text}`);
    if (type.kind !== 'any' && type.kind !== result)
      problem(at, `${title} gives ${namedCelType(type)}, not ${says}`);
  }
}

const expressions = [
  { field: 'rule', title: 'the rule', result: 'bool', says: 'true or false' },
  { field: 'messageExpression', title: 'messageExpression', result: 'string', says: 'a string' },
] as const;

function checkFieldPath(schema: Schema, fieldPath: string, at: SchemaPath, problem: Problem): void {
  if (fieldPath === '') return;
  if (fieldPath.trim() === '') problem(at, 'fieldPath is blank');
  else if (/[\r\n]/.test(fieldPath)) problem(at, 'fieldPath has several lines');
  else {
    const reason = fieldPathProblem(fieldPath, schema);
    if (reason !== undefined) problem(at, `fieldPath ${JSON.stringify(fieldPath)} ${reason}`);
  }
}

function checkOldSelf(
  rule: JsonMap,
  path: SchemaPath,
  changing: SchemaPath | undefined,
  problem: Problem,
): void {
  const hasOldSelf = usesOldSelf(jsonTextOf(rule['rule']));
  const { optionalOldSelf } = rule;
  if (!hasOldSelf && optionalOldSelf !== undefined && optionalOldSelf !== null)
    problem([...path, 'optionalOldSelf'], 'optionalOldSelf needs a rule that uses oldSelf');
  if (hasOldSelf && changing !== undefined)
    problem(
      [...path, 'rule'],
      'oldSelf cannot be used inside of a list whose items have no identity: the list must be of type map',
    );
}

/** A path of fields such as `.spec.host` or `['a.b']['c']` in its names; undefined for any other text. */
export function readFieldPath(path: string): readonly string[] | undefined {
  const names: string[] = [];
  let rest = path;
  while (rest !== '') {
    const [step = '', quoted, plain] = /^(?:\['((?:[^'\\]|\\['\\])*)'\]|\.([^.[\]']+))/.exec(rest) ?? [];
    if (step === '') return undefined;
    names.push(plain ?? (quoted ?? '').replace(/\\(.)/g, '$1'));
    rest = rest.slice(step.length);
  }
  return names.length === 0 ? undefined : names;
}

/**
 * Returns the fault of a rule's `fieldPath`; undefined if it is valid.
 * Source: apiextensions-apiserver `pkg/apiserver/schema/cel/validation.go` `ValidFieldPath`.
 */
export function fieldPathProblem(path: string, schema: Schema): string | undefined {
  const names = readFieldPath(path);
  if (names === undefined) return `is not a field path (example: .name or ['a.name'])`;
  let current = schema;
  for (const name of names) {
    const { properties, additionalProperties } = current;
    const isNamed = isJsonMap(properties);
    const next = isNamed
      ? Object.hasOwn(properties, name)
        ? properties[name]
        : undefined
      : additionalProperties;
    if (!isJsonMap(next)) return `names no field of the schema: unknown field ${name}`;
    current = jsonMapOf(next);
  }
  return undefined;
}
