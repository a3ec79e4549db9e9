import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag, negatedFlag } from '../flags/common.ts';

/** `op-sdk create api`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command
      .option('--group <group>', 'API group, without the domain of the project')
      .option('--version <version>', 'API version, such as v1alpha1')
      .option('--kind <Kind>', 'kind, such as Memcached')
      .option('--plural <plural>', "plural of the kind (default: the kind's English plural)");
    negatedFlag(command, 'resource', 'create no types, sample or roles');
    negatedFlag(command, 'controller', 'create no controller or test (a kind has at most one controller)');
    negatedFlag(command, 'namespaced', 'the kind is cluster-scoped');
    booleanFlag(command, 'force', 'overwrite what was scaffolded for this API before', false);
    dryRunFlag(command);
  },
  run: () => import('../actions/create-api.ts'),
};
