import { fieldAt, listOf, mapOf, textOf, textsOf } from '../validate/fields.ts';
import type { BundleObject } from '../validate/types.ts';

const roles: Readonly<Record<string, string>> = {
  ValidatingAdmissionWebhook: 'It may refuse',
  MutatingAdmissionWebhook: 'It may change',
};

/** Describes the webhooks of an operator, a sentence each. */
export function webhooksInWords(csv: BundleObject): readonly string[] {
  return listOf(fieldAt(csv.value, 'spec', 'webhookdefinitions'))
    .map(mapOf)
    .flatMap((webhook) => {
      const name = textOf(webhook['generateName']);
      const type = textOf(webhook['type']);
      if (type === 'ConversionWebhook')
        return [`It converts ${textsOf(webhook['conversionCRDs']).join(', ')} between versions (${name}).`];
      const role = roles[type];
      const what = listOf(webhook['rules']).map((rule) => ruleInWords(mapOf(rule)));
      return role === undefined ? [] : [`${role} ${what.join('; ')} (${name}).`];
    });
}

function ruleInWords(rule: Readonly<Record<string, unknown>>): string {
  const operations = textsOf(rule['operations']).map((each) =>
    each === '*' ? 'every operation' : each.toLowerCase(),
  );
  const groups = textsOf(rule['apiGroups']).filter((group) => group !== '');
  const group = groups.length === 0 ? '' : ` of ${groups.join(', ')}`;
  return `${operations.join(', ')} of ${textsOf(rule['resources']).join(', ')}${group}`;
}
