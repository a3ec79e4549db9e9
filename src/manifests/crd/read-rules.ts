import type { FindingList } from '../../errors/index.ts';
import type { EvaluatedProperty, ValidationRule } from '../../schema/index.ts';
import {
  invalidDeclaration,
  isAbsent,
  readArray,
  readObject,
  readScalar,
  type Placed,
} from '../read-value.ts';

const texts = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath'] as const;

/** Reads `cel` of defineResource: rules for the whole object. */
export function readCelRules(
  findings: FindingList,
  property: EvaluatedProperty | undefined,
): readonly Placed<ValidationRule>[] {
  const items = readArray(findings, property?.value, '`cel`') ?? [];
  return items.flatMap((item): readonly Placed<ValidationRule>[] => {
    const what = 'a rule of `cel`';
    const fields = readObject(findings, item, what, [...texts, 'optionalOldSelf']);
    if (fields === undefined) return [];
    if (isAbsent(fields.get('rule'))) {
      findings.add(invalidDeclaration(`${what} lacks \`rule\``, item.place, "add `rule: 'self.…'`"));
      return [];
    }
    const read = texts.flatMap((name) => {
      const text = readScalar(findings, fields.get(name), `\`${name}\` of ${what}`, 'string');
      return text === undefined ? [] : [[name, text.value] as const];
    });
    const old = readScalar(
      findings,
      fields.get('optionalOldSelf'),
      `\`optionalOldSelf\` of ${what}`,
      'boolean',
    );
    const rule = {
      ...Object.fromEntries(read),
      ...(old === undefined ? {} : { optionalOldSelf: old.value }),
    } as unknown as ValidationRule;
    if (typeof rule.rule !== 'string') return [];
    return [{ value: rule, place: item.place }];
  });
}
