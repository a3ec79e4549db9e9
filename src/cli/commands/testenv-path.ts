import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';

/** `op-sdk testenv path`. */
export const command = defineCommand({
  flags: {
    version: flag.text('version', 'Kubernetes version (default: the one op-sdk is tested with)'),
  },
  help: '  export KUBEBUILDER_ASSETS="$(op-sdk testenv path)"',
});
