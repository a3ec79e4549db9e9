import { canonicalJson } from '../../../../base/util/json-map.ts';
import { shown, type Schema } from '../schema-node.ts';
import type { Rule } from './rule.ts';

/** Which values are listed. An empty list is none, as for the API server. */
export const enumRule: Rule = {
  keywords: ['enum'],
  compare(pair, report) {
    const before = valuesOf(pair.old);
    const after = valuesOf(pair.new);
    if (before === undefined && after === undefined) return;
    if (before === undefined) {
      const list = [...(after?.values() ?? [])].map(shown).join(', ');
      return report({ code: 'enum-added', message: `only ${list} are allowed now` });
    }
    if (after === undefined)
      return report({ code: 'enum-removed', message: 'the list of allowed values was removed' });
    for (const [key, value] of before) {
      if (!after.has(key))
        report({ code: 'enum-value-removed', message: `${shown(value)} is no longer allowed` });
    }
    for (const [key, value] of after) {
      if (!before.has(key)) report({ code: 'enum-value-added', message: `${shown(value)} is allowed now` });
    }
  },
};

function valuesOf(schema: Schema): ReadonlyMap<string, unknown> | undefined {
  const values = schema['enum'];
  if (!Array.isArray(values) || values.length === 0) return undefined;
  return new Map(values.map((value: unknown) => [canonicalJson(value), value]));
}
