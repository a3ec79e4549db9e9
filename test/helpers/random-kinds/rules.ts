import type { TypeRule } from './generate.ts';
import { configRules } from './rules-of-config.ts';
import { networkRules } from './rules-of-networks.ts';
import { podRules } from './rules-of-pods.ts';
import { storageRules } from './rules-of-storage.ts';
import { volumeRules } from './rules-of-volumes.ts';
import { workloadRules } from './rules-of-workloads.ts';

/** Rules by the name of a type. */
export const rules: Readonly<Record<string, TypeRule>> = {
  ...configRules,
  ...networkRules,
  ...podRules,
  ...storageRules,
  ...volumeRules,
  ...workloadRules,
};
