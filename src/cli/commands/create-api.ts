import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag, moreHelp, negatedFlag } from '../flags/common.ts';

/** `op-sdk create api`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command
      .option('--group <group>', 'API group, without the domain of the project')
      .option('--version <version>', 'API version, such as v1alpha1')
      .option('--kind <Kind>', 'kind, such as Memcached')
      .option('--plural <plural>', "plural of the kind (default: the kind's English plural)");
    command.option(
      '--controller-name <name>',
      'name of a further controller of the kind, such as memcached-backup',
    );
    command
      .option(
        '--external-api-path <path>',
        'a CRD (file, folder or https URL), or a module that exports a resource',
      )
      .option('--external-api-domain <domain>', "domain of the external kind's group, such as io");
    negatedFlag(command, 'resource', 'create no types, sample or roles');
    negatedFlag(command, 'controller', 'create no controller or test');
    negatedFlag(command, 'namespaced', 'the kind is cluster-scoped');
    booleanFlag(
      command,
      'storage',
      'store objects in this version; of one that exists, change nothing else',
      false,
    );
    booleanFlag(
      command,
      'force',
      'overwrite what was scaffolded for this API before, move the controller, accept the loss of fields',
      false,
    );
    dryRunFlag(command);
    moreHelp(
      command,
      `
A further version of a kind begins as a copy of the newest one: its types, its sample. Objects stay stored in the version
that they are stored in; --storage changes that. The kind keeps its controller; --controller --force moves it.

  op-sdk create api --group cache --version v1 --kind Memcached
  op-sdk create api --group cache --version v2 --kind Memcached
  op-sdk create api --group cache --version v2 --kind Memcached --storage

With --resource=false, the kind is one of the project, or one of Kubernetes: --group apps --version v1 --kind Deployment. With
--external-api-path, it is one of others: --group, --version and --kind then select one of those that are there.`,
    );
  },
  run: () => import('../actions/create-api.ts'),
};
