import { canonicalJson } from '../../../../base/util/json-map.ts';
import { hasDefault } from '../../has-default.ts';
import { shown } from '../schema-node.ts';
import type { Rule } from './rule.ts';

/** The default of a field that both schemas have. What it does to the objects around it is judged by `interference`. */
export const defaultRule: Rule = {
  keywords: ['default'],
  compare(pair, report) {
    const before = hasDefault(pair.old) ? pair.old['default'] : undefined;
    const after = hasDefault(pair.new) ? pair.new['default'] : undefined;
    if (canonicalJson(before) === canonicalJson(after)) return;
    if (before === undefined)
      report({ code: 'default-added', message: `${shown(after)} is the default now` });
    else if (after === undefined)
      report({ code: 'default-removed', message: `the default ${shown(before)} was removed` });
    else report({ code: 'default-changed', message: `the default ${shown(before)} became ${shown(after)}` });
  },
};
