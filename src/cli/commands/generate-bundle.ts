import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { pullFlags } from '../flags/registry-flags.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk generate bundle`. */
export const command = defineCommand({
  locksProject: 'project',
  flags: {
    version: flag.text('version', 'the version of the operator, such as 1.2.3', { short: 'v' }),
    channels: flag.text('list', 'the channels of the bundle, separated by commas', { default: 'alpha' }),
    'default-channel': flag.text('name', 'the channel used when a subscription names none'),
    package: flag.text('name', "the name of the package (default: the project's name)"),
    'kustomize-dir': flag.text('folder', 'the kustomization of the bundle (default: config/manifests)'),
    filename: flag.list(
      'file',
      'read the objects from this file or folder instead, - for standard input; repeatable',
      { short: 'f' },
    ),
    'input-dir': flag.text('folder', 'read the objects from the files below this folder'),
    'deploy-dir': flag.text('folder', 'the same as --input-dir, for use with --crds-dir'),
    'crds-dir': flag.text('folder', 'read the CustomResourceDefinitions from this folder'),
    'output-dir': flag.text('folder', 'the folder of the bundle (default: bundle)'),
    'extra-service-accounts': flag.text(
      'list',
      'ServiceAccounts that no Deployment uses but whose rules OLM should grant, separated by commas',
    ),
    replaces: flag.text('name', 'the ClusterServiceVersion that this version is the update of'),
    skips: flag.text('list', 'ClusterServiceVersions that this version replaces too, separated by commas'),
    'skip-range': flag.text('range', 'versions that this version is the update of, such as ">=1.0.0 <1.2.0"'),
    'min-kube-version': flag.text('version', 'the oldest Kubernetes that the operator works on'),
    'use-image-digests': flag.boolean('name all images by digest, as their registries give it now'),
    ...pullFlags,
    'user-roles': flag.boolean("keep ClusterRoles for the operator's users in the bundle"),
    overwrite: flag.negated('keep annotations.yaml and bundle.Dockerfile as they are'),
    sources: flag.negated('do not read descriptors and resources of kinds from src'),
    stdout: flag.boolean('print the manifests instead of writing anything'),
    ...dryRunFlag,
  },
  help: `
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
});
