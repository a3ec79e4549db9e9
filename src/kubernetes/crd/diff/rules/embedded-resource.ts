import type { Rule } from './rule.ts';

export const embeddedResourceRule: Rule = {
  keywords: ['x-kubernetes-embedded-resource'],
  compare(pair, report) {
    const before = pair.old['x-kubernetes-embedded-resource'] === true;
    const after = pair.new['x-kubernetes-embedded-resource'] === true;
    if (before === after) return;
    const message = after ? 'is an embedded resource now' : 'is no longer an embedded resource';
    report({ code: 'embedded-resource-changed', message });
  },
};
