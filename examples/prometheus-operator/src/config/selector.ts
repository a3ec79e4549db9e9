import type { LabelSelector } from 'opsdk/k8s/meta/v1';
import { labelNameOf, literal } from './relabel.ts';
import type { Problems } from './problems.ts';
import type { ConfigObject } from './render.ts';

/**
 * Returns the rules that keep the targets whose labels a selector selects.
 *
 * @param role the beginning of the names of their labels, such as `service` in `__meta_kubernetes_service_label_app`
 */
export function selectorConfigs(
  selector: LabelSelector | undefined,
  role: 'service' | 'pod' | 'ingress',
  path: string,
  problems: Problems,
): readonly ConfigObject[] {
  const label = (key: string): string => `__meta_kubernetes_${role}_label_${labelNameOf(key)}`;
  const present = (key: string): string => `__meta_kubernetes_${role}_labelpresent_${labelNameOf(key)}`;
  const withValues = (action: string, key: string, values: readonly string[]): ConfigObject => ({
    action,
    source_labels: [label(key), present(key)],
    regex: `(${values.map(literal).join('|')});true`,
  });
  const configs = Object.entries(selector?.matchLabels ?? {})
    .sort()
    .map(([key, value]) => withValues('keep', key, [value]));
  for (const [index, { key, operator, values = [] }] of (selector?.matchExpressions ?? []).entries()) {
    const place = `${path}.matchExpressions[${index}]`;
    const isSet = operator === 'In' || operator === 'NotIn';
    if (isSet && values.length === 0)
      problems.add(`${place}.values`, `is required for the operator ${operator}`);
    else if (!isSet && values.length > 0)
      problems.add(`${place}.values`, `is not allowed for the operator ${operator}`);
    else if (operator === 'In') configs.push(withValues('keep', key, values));
    else if (operator === 'NotIn') configs.push(withValues('drop', key, values));
    else if (operator === 'Exists')
      configs.push({ action: 'keep', source_labels: [present(key)], regex: 'true' });
    else if (operator === 'DoesNotExist')
      configs.push({ action: 'drop', source_labels: [present(key)], regex: 'true' });
    else problems.add(`${place}.operator`, `expected In, NotIn, Exists or DoesNotExist, got "${operator}"`);
  }
  return configs;
}
