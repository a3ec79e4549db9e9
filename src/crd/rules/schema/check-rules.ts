import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../util/json-map.ts';
import { usesOldSelf } from './cel-names.ts';
import { celSyntaxProblem } from './cel-syntax.ts';
import { fieldPathProblem } from './field-path.ts';
import type { Problem, Schema, SchemaPath } from './types.ts';

const reasons = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate'];

/**
 * The CEL rules of a schema: all that is certain without compiling their expressions.
 *
 * @param changing the list around the schema whose items lose their identity with a change, if there is one
 */
export function checkRules(
  schema: Schema,
  path: SchemaPath,
  changing: SchemaPath | undefined,
  problem: Problem,
): void {
  const rules = jsonListOf(schema['x-kubernetes-validations']);
  if (rules.length === 0) return;
  if (!hasCelType(schema))
    problem(
      [...path, 'x-kubernetes-validations'],
      'rules cannot read a value without a type, nor a list or a map of such values',
    );
  for (const [index, item] of rules.entries()) {
    const at = [...path, 'x-kubernetes-validations', index];
    const rule = jsonMapOf(item);
    checkTexts(rule, at, problem);
    checkFieldPath(schema, jsonTextOf(rule['fieldPath']), [...at, 'fieldPath'], problem);
    checkOldSelf(rule, at, changing, problem);
  }
}

/** Whether there is a type in CEL for the values. Source: apiserver `pkg/cel/common/schemas.go` `SchemaDeclType`. */
function hasCelType(schema: Schema): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return true;
  const { type, items, additionalProperties } = schema;
  if (type === 'array') return isJsonMap(items) && hasCelType(items);
  if (type === 'object' && isJsonMap(additionalProperties)) return hasCelType(additionalProperties);
  return jsonTextOf(type) !== '';
}

function checkTexts(rule: JsonMap, path: SchemaPath, problem: Problem): void {
  const expression = jsonTextOf(rule['rule']).trim();
  const message = jsonTextOf(rule['message']);
  if (expression === '') problem(path, 'the rule is empty');
  else if (message !== '' && message.trim() === '') problem([...path, 'message'], 'the message is blank');
  else if (/[\r\n]/.test(message.trim())) problem([...path, 'message'], 'the message has several lines');
  else if (/[\r\n]/.test(expression) && message === '')
    problem([...path, 'rule'], 'a rule of several lines needs a message');
  const syntax = celSyntaxProblem(expression);
  if (syntax !== undefined) problem([...path, 'rule'], `the rule is not valid CEL: ${syntax}`);
  const messageExpression = jsonTextOf(rule['messageExpression']);
  if (messageExpression !== '' && messageExpression.trim() === '')
    problem([...path, 'messageExpression'], 'messageExpression is blank');
  const textSyntax = celSyntaxProblem(messageExpression);
  if (textSyntax !== undefined)
    problem([...path, 'messageExpression'], `messageExpression is not valid CEL: ${textSyntax}`);
  const { reason } = rule;
  if (reason !== undefined && reason !== null && !reasons.includes(jsonTextOf(reason)))
    problem(
      [...path, 'reason'],
      `unknown reason ${jsonTextOf(reason)}; expected one of ${reasons.join(', ')}`,
    );
}

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
