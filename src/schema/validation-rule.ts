import type { ValidationRule } from '../crd/json-schema-props.ts';
import { parseCel } from './tags/cel.ts';

/** What the API server would refuse about a CEL rule without looking into the expression; undefined if nothing. */
export function validationRuleProblem(rule: ValidationRule): string | undefined {
  const parsed = parseCel(JSON.stringify(rule));
  return 'problem' in parsed ? parsed.problem : undefined;
}
