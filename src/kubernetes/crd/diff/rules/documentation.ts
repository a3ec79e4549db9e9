import { canonicalJson } from '../../../../base/util/json-map.ts';
import { documentationKeywords } from '../schema-node.ts';
import type { Rule } from './rule.ts';

/** Compares keywords that only people read. */
export const documentationRule: Rule = {
  keywords: documentationKeywords,
  compare(pair, report) {
    for (const keyword of documentationKeywords) {
      const before = pair.old[keyword];
      const after = pair.new[keyword];
      if (canonicalJson(before) === canonicalJson(after)) continue;
      const what = before === undefined ? 'is new' : after === undefined ? 'was removed' : 'changed';
      report({ code: 'documentation', message: `${keyword} ${what}` });
    }
  },
};
