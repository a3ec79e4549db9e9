import { kindOf, type NodeKind } from '../schema-node.ts';
import type { Rule } from './rule.ts';

/** Returns true if every value of a kind is a value of another. */
export function isWiderKind(old: NodeKind, now: NodeKind): boolean {
  if (now === 'anything') return true;
  if (now === 'int-or-string') return old === 'integer' || old === 'string';
  return old === 'integer' && now === 'number';
}

export const typeRule: Rule = {
  keywords: ['type', 'x-kubernetes-int-or-string'],
  compare(pair, report) {
    const [before, after] = [kindOf(pair.old), kindOf(pair.new)];
    if (before === after) return;
    const code = isWiderKind(before, after) ? 'type-widened' : 'type-changed';
    report({ code, message: `${before} became ${after}` });
  },
};

export const nullableRule: Rule = {
  keywords: ['nullable'],
  compare(pair, report) {
    const [before, after] = [pair.old['nullable'] === true, pair.new['nullable'] === true];
    if (before === after) return;
    report({
      code: after ? 'nullable-added' : 'nullable-removed',
      message: after ? 'null is allowed now' : 'null is no longer allowed',
    });
  },
};
