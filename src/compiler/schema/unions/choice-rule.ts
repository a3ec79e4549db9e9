import { celName } from '../../../kubernetes/crd/cel/cel-field-name.ts';
import type { ValidationRule } from '../../../kubernetes/crd/json-schema-props.ts';
import type { ChoiceName } from '../shape.ts';

const comparisons = { ExactlyOneOf: '== 1', AtMostOneOf: '<= 1' } as const;
const quantities = {
  ExactlyOneOf: ['exactly', 'must'],
  AtMostOneOf: ['at most', 'may'],
  AtLeastOneOf: ['at least', 'must'],
} as const;

/** The CEL rule of a choice among fields. Source: controller-tools (v0.23) `pkg/crd/markers/validation.go`, the markers of these names. */
export function choiceRule(name: ChoiceName, fields: readonly string[]): ValidationRule {
  const tests = fields.map((field) => `has(self.${celName(field)})`);
  const rule =
    name === 'AtLeastOneOf'
      ? tests.join('||')
      : `${tests.map((test) => `(${test}?1:0)`).join('+')} ${comparisons[name]}`;
  const [quantity, verb] = quantities[name];
  return { rule, message: `${quantity} one of the fields in [${fields.join(' ')}] ${verb} be set` };
}
