import type { PrometheusRule } from '../api/monitoring/v1/prometheus-rule.ts';
import { byName } from './prometheus-config.ts';
import { renderConfig } from './render.ts';

/** Bytes of a ConfigMap, with room below the limit of the API server for its metadata. */
const capacity = 512 * 1024;

/** Contents of a ConfigMap, by their keys. */
export type RuleFiles = ReadonlyMap<string, string>;

/**
 * Returns the rule file of a PrometheusRule, with fields in the order of the object.
 *
 * @param forThanos keeps what only a ThanosRuler knows
 */
export function ruleFile({ spec }: PrometheusRule, forThanos: boolean): string {
  const groups = (spec.groups ?? []).map(({ partial_response_strategy: strategy, rules, ...group }) => ({
    ...group,
    interval: group.interval || undefined,
    ...(forThanos && strategy !== undefined && strategy !== '' && { partial_response_strategy: strategy }),
    rules: (rules ?? []).map(({ expr, ...rule }) => ({
      ...rule,
      expr: String(expr),
      for: rule.for || undefined,
    })),
  }));
  return renderConfig({ groups });
}

/** Returns the name of the rule file of a PrometheusRule. The UID keeps a new object of the same name apart. */
export function ruleFileName({ metadata }: PrometheusRule): string {
  return `${metadata.namespace}-${metadata.name}-${metadata.uid}.yaml`;
}

/**
 * Distributes rule files over as few ConfigMaps as they fit into, in the order of their names. At least one is returned, so that the first rule
 * restarts nothing.
 */
export function distribute(rules: readonly PrometheusRule[], forThanos: boolean): readonly RuleFiles[] {
  const maps = [new Map<string, string>()];
  let size = 0;
  for (const rule of [...rules].sort(byName)) {
    const text = ruleFile(rule, forThanos);
    const bytes = Buffer.byteLength(text);
    if (size > 0 && size + bytes > capacity) {
      maps.push(new Map());
      size = 0;
    }
    maps.at(-1)?.set(ruleFileName(rule), text);
    size += bytes;
  }
  return maps;
}
