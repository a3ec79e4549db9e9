import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { manifestsFolder } from '../flags/words.ts';

/** `op-sdk generate kustomize manifests`. */
export const command = defineCommand({
  locksProject: 'project',
  flags: {
    package: flag.text('name', "the name of the package (default: the project's name)"),
    'display-name': flag.text('text', 'display name of the operator'),
    description: flag.text('text', 'what the operator does'),
    provider: flag.text('name', 'who provides the operator'),
    'provider-url': flag.text('url', "the provider's site"),
    keywords: flag.text('list', 'words to find the operator by, separated by commas'),
    maintainers: flag.text('list', 'maintainers of the operator: name:email, name:email'),
    icon: flag.text('file', 'a GIF, JPEG, PNG or SVG that catalogues show'),
    'input-dir': flag.text('folder', `the folder with the existing base (default: ${manifestsFolder})`),
    'output-dir': flag.text('folder', `the folder to write to (default: ${manifestsFolder})`),
    'apis-dir': flag.text('folder', 'the folder that declares the kinds (default: src)'),
    interactive: flag.boolean(
      'ask for the description; --no-interactive never asks (default: ask on a terminal, if the base is missing)',
      { unset: true },
    ),
    ...dryRunFlag,
  },
  help: `
Writes
  ${manifestsFolder}/bases/<package>.clusterserviceversion.yaml   the base ClusterServiceVersion
  ${manifestsFolder}/kustomization.yaml                           the contents of bundles, if it is missing
  config/scorecard                                       the tests of the bundle, if it is missing

An existing base keeps its content: new kinds are added, and values given by flags are replaced. For a new base the
description comes from flags, then from the key \`opsdk\` of package.json ({"displayName", "description", "provider":
{"name", "url"}, "keywords", "maintainers": [{"name", "email"}]}), then from questions, then from npm's own fields.`,
});
