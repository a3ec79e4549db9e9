import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag } from '../flags/common.ts';

/** `op-sdk create api`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command
      .option('--group <group>', 'API group, without the domain of the project')
      .option('--version <version>', 'API version, such as v1alpha1')
      .option('--kind <Kind>', 'kind, such as Memcached')
      .option('--plural <plural>', "plural of the kind (default: the kind's English plural)");
    booleanFlag(command, 'resource', 'make the types, the sample and the roles (default: true)');
    booleanFlag(command, 'controller', 'make the controller and its test (default: true for a new kind)');
    booleanFlag(command, 'namespaced', 'the kind lives in namespaces (default: true)');
    booleanFlag(command, 'force', 'overwrite what was scaffolded for this API before', false);
    dryRunFlag(command);
  },
  run: () => import('../actions/create-api.ts'),
};
