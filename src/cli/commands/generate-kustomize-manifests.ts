import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag, moreHelp } from '../flags/common.ts';
import { manifestsFolder } from '../flags/words.ts';

/** `op-sdk generate kustomize manifests`. */
export const command: CommandModule = {
  locksProject: 'project',
  configure(command) {
    command.option('--package <name>', "the name of the package (default: the project's name)");
    command.option('--display-name <text>', 'display name of the operator');
    command.option('--description <text>', 'what the operator does');
    command.option('--provider <name>', 'who provides the operator');
    command.option('--provider-url <url>', "the provider's site");
    command.option('--keywords <list>', 'words to find the operator by, separated by commas');
    command.option('--maintainers <list>', 'maintainers of the operator: name:email, name:email');
    command.option('--icon <file>', 'a GIF, JPEG, PNG or SVG that catalogues show');
    command.option('--input-dir <folder>', `the folder with the existing base (default: ${manifestsFolder})`);
    command.option('--output-dir <folder>', `the folder to write to (default: ${manifestsFolder})`);
    command.option('--apis-dir <folder>', 'the folder that declares the kinds (default: src)');
    booleanFlag(
      command,
      'interactive',
      'ask for the description; --no-interactive never asks (default: ask on a terminal, if the base is missing)',
    );
    dryRunFlag(command);
    moreHelp(
      command,
      `
Writes
  ${manifestsFolder}/bases/<package>.clusterserviceversion.yaml   the base ClusterServiceVersion
  ${manifestsFolder}/kustomization.yaml                           the contents of bundles, if it is missing
  config/scorecard                                       the tests of the bundle, if it is missing

An existing base keeps its content: new kinds are added, and values given by flags are replaced. For a new base the
description comes from flags, then from the key \`opsdk\` of package.json ({"displayName", "description", "provider":
{"name", "url"}, "keywords", "maintainers": [{"name", "email"}]}), then from questions, then from npm's own fields.`,
    );
  },
  run: () => import('../actions/generate-kustomize-manifests.ts'),
};
