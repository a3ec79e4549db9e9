import {
  canonicalJson,
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  type JsonMap,
} from '../../../../base/util/json-map.ts';
import { usesOldSelf, canonicalCel } from '../../cel/cel-syntax.ts';
import { shown, type Schema } from '../schema-node.ts';
import type { Report } from '../change.ts';
import type { Rule } from './values.ts';

/** Compares CEL rules. Old and new rules are matched by their syntax trees, then by their messages. */
export const celRule: Rule = {
  keywords: ['x-kubernetes-validations'],
  compare(pair, report) {
    const before = rulesOf(pair.old);
    const after = rulesOf(pair.new);
    const take = (isIt: (rule: JsonMap) => boolean): JsonMap | undefined => {
      const index = after.findIndex(isIt);
      return index < 0 ? undefined : after.splice(index, 1)[0];
    };
    const unmatched = before.filter((rule) => {
      const same = take((candidate) => treeOf(candidate) === treeOf(rule));
      if (same !== undefined) compareSame(rule, same, report);
      return same === undefined;
    });
    for (const rule of unmatched) {
      const message = jsonTextOf(rule['message']);
      const successor = message === '' ? undefined : take((item) => jsonTextOf(item['message']) === message);
      if (successor === undefined)
        report({ code: 'cel-rule-removed', message: `the rule ${shown(textOf(rule))} was removed` });
      else
        report({
          code: 'cel-rule-changed',
          message: `the rule ${shown(textOf(rule))} became ${shown(textOf(successor))}`,
        });
    }
    for (const rule of after)
      report({
        code: 'cel-rule-added',
        message: `the rule ${shown(textOf(rule))} is new`,
        ...transition(rule),
      });
  },
};

function compareSame(old: JsonMap, now: JsonMap, report: Report): void {
  const name = shown(textOf(now));
  if ((old['optionalOldSelf'] === true) !== (now['optionalOldSelf'] === true)) {
    const message = `optionalOldSelf of the rule ${name} became ${String(now['optionalOldSelf'] === true)}`;
    return report({
      code: 'cel-rule-changed',
      message,
      note: 'With optionalOldSelf a rule is evaluated for new objects, too.',
    });
  }
  const differs =
    ['message', 'reason', 'fieldPath'].some(
      (field) => canonicalJson(old[field]) !== canonicalJson(now[field]),
    ) || treeOf(old, 'messageExpression') !== treeOf(now, 'messageExpression');
  if (differs)
    report({
      code: 'cel-message-changed',
      message: `the reason, message or field of the rule ${name} changed`,
    });
}

/**
 * Returns a note and `ratcheted: false` for a rule that uses `oldSelf`; otherwise an empty object. Such a rule is never ratcheted, and
 * existing objects stay valid until a value that the rule guards changes.
 */
function transition(rule: JsonMap): { readonly note?: string; readonly ratcheted?: boolean } {
  if (!usesOldSelf(textOf(rule))) return {};
  return {
    note: 'It compares with the object before: existing objects stay valid until somebody changes what it guards.',
    ratcheted: false,
  };
}

const rulesOf = (schema: Schema): JsonMap[] => jsonListOf(schema['x-kubernetes-validations']).map(jsonMapOf);
const textOf = (rule: JsonMap): string => jsonTextOf(rule['rule']);
const treeOf = (rule: JsonMap, field: 'rule' | 'messageExpression' = 'rule'): string =>
  canonicalCel(jsonTextOf(rule[field]));
