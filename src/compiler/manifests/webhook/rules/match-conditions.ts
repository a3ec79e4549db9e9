import { celSyntaxProblem, type FieldPath } from '../../../../kubernetes/crd/index.ts';
import { qualifiedNameProblem } from '../../../../kubernetes/objects/index.ts';
import { jsonMapOf, jsonTextOf } from '../../../../base/util/json-map.ts';

/** Source: `validateMatchConditions`. */
const MOST = 64;

const at = 'matchConditions';

/** The conditions of a webhook: their number, names, and the syntax of their expressions. Types and names in expressions are not looked at. */
export function checkMatchConditions(conditions: readonly unknown[], add: AddViolation): void {
  if (conditions.length > MOST)
    add(
      [at],
      `matchConditions: expected at most ${MOST}, got ${conditions.length}`,
      'join some of them by &&',
    );
  const names = new Set<string>();
  for (const [index, item] of conditions.entries()) {
    const { name, expression } = jsonMapOf(item);
    checkName([at, index, 'name'], jsonTextOf(name), names, add);
    const text = jsonTextOf(expression).trim();
    const syntax = text === '' ? 'it is empty' : celSyntaxProblem(text);
    if (syntax !== undefined)
      add(
        [at, index, 'expression'],
        `the expression of a match condition is not valid CEL: ${syntax}`,
        'write an expression such as request.namespace != "kube-system"',
      );
  }
}

function checkName(
  path: readonly (string | number)[],
  name: string,
  names: Set<string>,
  add: AddViolation,
): void {
  const problem = names.has(name) ? 'another one has it' : qualifiedNameProblem(name);
  names.add(name);
  if (problem !== undefined)
    add(
      path,
      `the name '${name}' of a match condition is not valid: ${problem}`,
      'write another name, such as not-a-lease',
    );
}

/** One way in which a webhook breaks a rule of the API server. */
export interface WebhookViolation {
  /** From the document down, or from the webhook. */
  readonly path: FieldPath;
  /** Subject, what was expected, what was found. */
  readonly message: string;
  readonly fix: string;
}

/** Takes a violation. */
export type AddViolation = (path: FieldPath, message: string, fix: string) => void;
