import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk create webhook`. */
export const command = defineCommand({
  locksProject: 'project',
  flags: {
    group: flag.text('group', 'API group, without the domain of the project'),
    version: flag.text('version', 'API version, such as v1alpha1; of a conversion, the version to store'),
    kind: flag.text('Kind', 'kind, such as Memcached'),
    plural: flag.text('plural', "plural of the kind (default: the project's)"),
    defaulting: flag.boolean('fill in what users leave out', { unset: true }),
    'programmatic-validation': flag.boolean('refuse objects that your code finds wrong', { unset: true }),
    conversion: flag.boolean('convert other versions of the kind to this one and back', { unset: true }),
    spoke: flag.commas('versions', 'the versions to convert, separated by commas (default: all others)'),
    'defaulting-path': flag.text(
      'path',
      'where defaulting is served (default: /mutate-<group>-<version>-<kind>)',
    ),
    'validation-path': flag.text(
      'path',
      'where validation is served (default: /validate-<group>-<version>-<kind>)',
    ),
    'external-api-path': flag.text(
      'path',
      'a CRD (file, folder or https URL), or a module that exports a resource',
    ),
    'external-api-domain': flag.text('domain', "domain of the external kind's group, such as io"),
    'cert-provider': flag.choice(
      'provider',
      ['cert-manager', 'self-signed'],
      'who makes the certificate (default: cert-manager; later what the project has)',
    ),
    force: flag.boolean('overwrite what was scaffolded for these webhooks before'),
    ...dryRunFlag,
  },
  help: `
At least one of --defaulting, --programmatic-validation and --conversion is needed. The kind is one of the project, or one of Kubernetes:
--group core --version v1 --kind Pod. What is there is kept: a further function, version or kind is added to it.

  op-sdk create webhook --group cache --version v1 --kind Memcached --defaulting --programmatic-validation
  op-sdk create webhook --group cache --version v1 --kind Memcached --conversion --spoke v1alpha1
  op-sdk create webhook --group core --version v1 --kind Pod --defaulting --cert-provider self-signed

With cert-manager, the cluster needs cert-manager. With self-signed, the operator makes and rotates its certificate itself.`,
});
