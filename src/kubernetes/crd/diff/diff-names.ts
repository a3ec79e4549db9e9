import { canonicalJson, jsonListOf, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { ReportAt } from './compare-schemas.ts';
import type { Definition } from './definition.ts';

/** Compares what belongs to the definition, not to a version: scope, names, conversion, pruning, labels and annotations. */
export function diffDefinition(old: Definition, now: Definition, report: ReportAt): void {
  if (old.scope !== now.scope)
    report('spec.scope', { code: 'scope-changed', message: `${old.scope} became ${now.scope}` });
  const plain = [
    ['plural', 'plural-changed'],
    ['kind', 'kind-changed'],
    ['listKind', 'list-kind-changed'],
    ['singular', 'singular-changed'],
  ] as const;
  for (const [field, code] of plain) {
    const [before, after] = [jsonTextOf(old.names[field]), jsonTextOf(now.names[field])];
    if (before !== after) report(`spec.names.${field}`, { code, message: `${before} became ${after}` });
  }
  const lists = [
    ['shortNames', 'short-name'],
    ['categories', 'category'],
  ] as const;
  for (const [field, code] of lists) {
    const [before, after] = [jsonListOf(old.names[field]), jsonListOf(now.names[field])].map((list) =>
      list.map(jsonTextOf),
    ) as [string[], string[]];
    for (const name of before.filter((item) => !after.includes(item)))
      report(`spec.names.${field}`, { code: `${code}-removed`, message: `${name} was removed` });
    for (const name of after.filter((item) => !before.includes(item)))
      report(`spec.names.${field}`, { code: `${code}-added`, message: `${name} is new` });
  }
  diffConversion(old, now, report);
  if (old.keepsUnknown !== now.keepsUnknown)
    report('spec.preserveUnknownFields', {
      code: now.keepsUnknown ? 'pruning-disabled' : 'pruning-enabled',
      message: `${old.keepsUnknown} became ${now.keepsUnknown}`,
    });
  diffTexts('labels', old, now, report);
  diffTexts('annotations', old, now, report);
}

function diffConversion(old: Definition, now: Definition, report: ReportAt): void {
  if (canonicalJson(old.conversion) === canonicalJson(now.conversion)) return;
  const [before, after] = [jsonTextOf(old.conversion['strategy']), jsonTextOf(now.conversion['strategy'])];
  if (before !== after) {
    const code = after === 'Webhook' ? 'conversion-added' : 'conversion-removed';
    report('spec.conversion.strategy', { code, message: `${before} became ${after}` });
    return;
  }
  const webhooks = [old, now].map(({ conversion }) => jsonMapOf(conversion['webhook']));
  for (const field of new Set(webhooks.flatMap((webhook) => Object.keys(webhook)))) {
    if (canonicalJson(webhooks[0]?.[field]) === canonicalJson(webhooks[1]?.[field])) continue;
    report(`spec.conversion.webhook.${field}`, { code: 'conversion-changed', message: `${field} changed` });
  }
}

/** Annotation that kubectl keeps for itself in a cluster. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function diffTexts(
  field: 'labels' | 'annotations',
  old: Definition,
  now: Definition,
  report: ReportAt,
): void {
  for (const key of new Set([...Object.keys(old[field]), ...Object.keys(now[field])])) {
    const [before, after] = [old[field][key], now[field][key]];
    if (before === after || key === lastApplied) continue;
    const message =
      before === undefined ? 'is new' : after === undefined ? 'was removed' : `${before} became ${after}`;
    report(`metadata.${field}[${JSON.stringify(key)}]`, { code: 'metadata-changed', message });
  }
}
