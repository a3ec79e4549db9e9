import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk create api`. */
export const command = defineCommand({
  locksProject: 'project',
  flags: {
    group: flag.text('group', 'API group, without the domain of the project'),
    version: flag.text('version', 'API version, such as v1alpha1'),
    kind: flag.text('Kind', 'kind, such as Memcached'),
    plural: flag.text('plural', "plural of the kind (default: the kind's English plural)"),
    'controller-name': flag.text(
      'name',
      'name of a further controller of the kind, such as memcached-backup',
    ),
    'external-api-path': flag.text(
      'path',
      'a CRD (file, folder or https URL), or a module that exports a resource',
    ),
    'external-api-domain': flag.text('domain', "domain of the external kind's group, such as io"),
    resource: flag.negated('create no types, sample or roles', { unset: true }),
    controller: flag.negated('create no controller or test', { unset: true }),
    namespaced: flag.negated('the kind is cluster-scoped', { unset: true }),
    storage: flag.boolean('store objects in this version; of one that exists, change nothing else'),
    force: flag.boolean(
      'overwrite what was scaffolded for this API before, move the controller, accept the loss of fields',
    ),
    ...dryRunFlag,
  },
  help: `
A further version of a kind begins as a copy of the newest one: its types, its sample. Objects stay stored in the version
that they are stored in; --storage changes that. The kind keeps its controller; --controller --force moves it.

  op-sdk create api --group cache --version v1 --kind Memcached
  op-sdk create api --group cache --version v2 --kind Memcached
  op-sdk create api --group cache --version v2 --kind Memcached --storage

With --resource=false, the kind is one of the project, or one of Kubernetes: --group apps --version v1 --kind Deployment. With
--external-api-path, it is one of others: --group, --version and --kind then select one of those that are there.`,
});
