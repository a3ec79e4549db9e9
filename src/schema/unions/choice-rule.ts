import type { ValidationRule } from '../../crd/json-schema-props.ts';
import type { ChoiceName } from '../shape.ts';

/** Names that an expression may not use as they are. Source: kube's `apiserver/pkg/cel/escaping.go`. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

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

/** Whether an expression can name a field. */
export function hasCelName(field: string): boolean {
  return /^[a-zA-Z_./-][\w./-]*$/.test(field);
}

/** A field's name as an expression writes it. Source: kube's `apiserver/pkg/cel/escaping.go`. */
function celName(field: string): string {
  if (reserved.has(field)) return `__${field}__`;
  return field
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
