import { defineCommand } from '../command.ts';

/** `op-sdk testenv list`. */
export const command = defineCommand({
  help: 'Lists the versions in the cache. KUBEBUILDER_ASSETS, if set, takes precedence.',
});
