import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { booleanFlag, dryRunFlag, moreHelp, negatedFlag } from '../flags/common.ts';

const list = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `op-sdk generate bundle`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command.option('-v, --version <version>', 'the version of the operator, such as 1.2.3');
    command.option('--channels <list>', 'the channels of the bundle, separated by commas', 'alpha');
    command.option('--default-channel <name>', 'the channel used when a subscription names none');
    command.option('--package <name>', "the name of the package (default: the project's name)");
    command.option('--kustomize-dir <folder>', 'the kustomization of the bundle (default: config/manifests)');
    command.addOption(
      new Option(
        '-f, --filename <file>',
        'read the objects from this file or folder instead, - for standard input; repeatable',
      ).argParser(list),
    );
    command.option('--input-dir <folder>', 'read the objects from the files below this folder');
    command.option('--deploy-dir <folder>', 'the same as --input-dir, for use with --crds-dir');
    command.option('--crds-dir <folder>', 'read the CustomResourceDefinitions from this folder');
    command.option('--output-dir <folder>', 'the folder of the bundle (default: bundle)');
    command.option(
      '--extra-service-accounts <list>',
      'ServiceAccounts that no Deployment uses but whose rules OLM should grant, separated by commas',
    );
    command.option('--replaces <name>', 'the ClusterServiceVersion that this version is the update of');
    command.option(
      '--skips <list>',
      'ClusterServiceVersions that this version replaces too, separated by commas',
    );
    command.option(
      '--skip-range <range>',
      'versions that this version is the update of, such as ">=1.0.0 <1.2.0"',
    );
    command.option('--min-kube-version <version>', 'the oldest Kubernetes that the operator works on');
    booleanFlag(
      command,
      'use-image-digests',
      'name all images by digest, as their registries give it now',
      false,
    );
    pullFlags(command);
    booleanFlag(command, 'user-roles', "keep ClusterRoles for the operator's users in the bundle", false);
    negatedFlag(command, 'overwrite', 'keep annotations.yaml and bundle.Dockerfile as they are', true);
    negatedFlag(command, 'sources', 'do not read descriptors and resources of kinds from src', true);
    booleanFlag(command, 'stdout', 'print the manifests instead of writing anything', false);
    dryRunFlag(command);
    moreHelp(
      command,
      `
Creates a bundle from the objects of config/manifests, as op-sdk renders them, and writes
  bundle/manifests              the ClusterServiceVersion, the CustomResourceDefinitions, and the other objects that OLM installs
  bundle/metadata               the package and channels of the bundle
  bundle/tests/scorecard        the tests of the bundle, if the objects have a scorecard configuration
  bundle.Dockerfile             the image of the bundle, for tools that build from Dockerfiles

In a project of op-sdk, the descriptors, resources and display names of its kinds come from the TypeScript sources. What the
base says about a kind wins, field by field.

Objects are read from standard input only with -f -. What --replaces, --skips, --skip-range and --min-kube-version say can
be written into package.json, below "opsdk"; dependencies.yaml and properties.yaml go into bundle/metadata from the folder
of the base. Nothing is written unless the bundle passes \`op-sdk bundle validate\`. The annotation createdAt changes only
when something else does; SOURCE_DATE_EPOCH sets it.`,
    );
  },
  run: () => import('../actions/generate-bundle.ts'),
};
