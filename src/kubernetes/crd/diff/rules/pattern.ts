import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { shown } from '../schema-node.ts';
import type { Rule } from './rule.ts';

/** Regular expressions: whether one takes less than another is not decided. */
export const patternRule: Rule = {
  keywords: ['pattern'],
  compare(pair, report) {
    const before = jsonTextOf(pair.old['pattern']);
    const after = jsonTextOf(pair.new['pattern']);
    if (before === after) return;
    if (before === '') report({ code: 'pattern-added', message: `must match ${shown(after)} now` });
    else if (after === '')
      report({ code: 'pattern-removed', message: `no longer has to match ${shown(before)}` });
    else report({ code: 'pattern-changed', message: `pattern ${shown(before)} became ${shown(after)}` });
  },
};
