import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag, moreHelp } from '../flags/common.ts';

/** `op-sdk create webhook`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command
      .option('--group <group>', 'API group, without the domain of the project')
      .option('--version <version>', 'API version, such as v1alpha1; of a conversion, the version to store')
      .option('--kind <Kind>', 'kind, such as Memcached')
      .option('--plural <plural>', "plural of the kind (default: the project's)");
    booleanFlag(command, 'defaulting', 'fill in what users leave out');
    booleanFlag(command, 'programmatic-validation', 'refuse objects that your code finds wrong');
    booleanFlag(command, 'conversion', 'convert other versions of the kind to this one and back');
    command
      .option(
        '--spoke <versions>',
        'the versions to convert, separated by commas (default: all others)',
        (value: string, former: readonly string[] | undefined) => [...(former ?? []), ...value.split(',')],
      )
      .option(
        '--defaulting-path <path>',
        'where defaulting is served (default: /mutate-<group>-<version>-<kind>)',
      )
      .option(
        '--validation-path <path>',
        'where validation is served (default: /validate-<group>-<version>-<kind>)',
      )
      .option(
        '--external-api-path <path>',
        'a CRD (file, folder or https URL), or a module that exports a resource',
      )
      .option('--external-api-domain <domain>', "domain of the external kind's group, such as io")
      .addOption(
        new Option(
          '--cert-provider <provider>',
          'who makes the certificate (default: cert-manager; later what the project has)',
        ).choices(['cert-manager', 'self-signed']),
      );
    booleanFlag(command, 'force', 'overwrite what was scaffolded for these webhooks before', false);
    dryRunFlag(command);
    moreHelp(
      command,
      `
At least one of --defaulting, --programmatic-validation and --conversion is needed. The kind is one of the project, or one of Kubernetes:
--group core --version v1 --kind Pod. What is there is kept: a further function, version or kind is added to it.

  op-sdk create webhook --group cache --version v1 --kind Memcached --defaulting --programmatic-validation
  op-sdk create webhook --group cache --version v1 --kind Memcached --conversion --spoke v1alpha1
  op-sdk create webhook --group core --version v1 --kind Pod --defaulting --cert-provider self-signed

With cert-manager, the cluster needs cert-manager. With self-signed, the operator makes and rotates its certificate itself.`,
    );
  },
  run: () => import('../actions/create-webhook.ts'),
};
