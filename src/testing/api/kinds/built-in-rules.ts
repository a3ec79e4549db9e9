import type { BuiltInEntry } from './served-kind.ts';
import { configRules } from './rules/config.ts';
import { namespaceRules } from './rules/namespaces.ts';
import { serviceRules } from './rules/services.ts';
import { workloadRules } from './rules/workloads.ts';

/** By `apiVersion kind`. What is not here is refused. */
export const builtInRules: Readonly<Record<string, BuiltInEntry>> = {
  ...configRules,
  ...namespaceRules,
  ...serviceRules,
  ...workloadRules,
};
