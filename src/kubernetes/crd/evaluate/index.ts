import { isObject, type Schema } from '../../objects/index.ts';
import type { CompiledRules, RuleVerdict, UnsupportedRule } from './rules.ts';

export type { CompiledRules, RuleVerdict };

/** Returns true for the error of a rule that cannot be evaluated. */
export function isUnsupportedRule(error: unknown): error is UnsupportedRule {
  return error instanceof Error && error.name === 'UnsupportedRule';
}

/** Returns true if a schema has CEL rules, anywhere. */
export function hasCelRules(schema: Schema): boolean {
  const { items, properties = {}, additionalProperties, allOf = [] } = schema;
  const parts = [items, ...Object.values(properties), additionalProperties, ...allOf];
  return (
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    parts.some((part) => isObject(part) && hasCelRules(part))
  );
}

/**
 * Compiles the CEL rules of a CRD's schema. Their evaluator is loaded only if the schema has rules.
 * @returns undefined if the schema has no rules
 */
export async function rulesOf(schema: Schema): Promise<CompiledRules | undefined> {
  if (!hasCelRules(schema)) return undefined;
  const { compileRules } = await import('./rules.ts');
  return compileRules(schema);
}

/**
 * Evaluates the CEL rules of a CRD's schema for one object.
 * @param before the former object, for an update
 * @throws UnsupportedRule if a rule cannot be evaluated
 */
export async function ruleErrors(
  schema: Schema,
  object: Parameters<CompiledRules['check']>[0],
  before?: Parameters<CompiledRules['check']>[1],
): Promise<RuleVerdict> {
  const rules = await rulesOf(schema);
  return rules?.check(object, before) ?? { errors: [], warnings: [] };
}
