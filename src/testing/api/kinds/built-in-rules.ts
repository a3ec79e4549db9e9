import type { NameRule } from '../objects/metadata.ts';
import type { BuiltInRules } from './served-kind.ts';
import { configRules } from './rules/config.ts';
import { namespaceRules } from './rules/namespaces.ts';
import { serviceRules } from './rules/services.ts';
import { workloadRules } from './rules/workloads.ts';

export interface BuiltInEntry extends BuiltInRules {
  readonly plural: string;
  /** Default: true. */
  readonly namespaced?: boolean;
  /** Default: false. */
  readonly hasStatus?: boolean;
  /** Default: a DNS subdomain. */
  readonly nameRule?: NameRule;
  readonly selectableFields?: readonly string[];
}

/** By `apiVersion kind`. What is not here is refused. */
export const builtInRules: Readonly<Record<string, BuiltInEntry>> = {
  ...configRules,
  ...namespaceRules,
  ...serviceRules,
  ...workloadRules,
};
