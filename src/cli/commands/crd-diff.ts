import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { booleanFlag, moreHelp } from '../flags/common.ts';
import { github, markdown, projectWord, sarif } from '../flags/words.ts';

/** `op-sdk crd diff`. */
export const command: CommandModule = {
  formats: [markdown, github, sarif],
  configure(command) {
    command.argument(
      '<old>',
      `a file, a folder, git:REF, git:REF:PATH, - or ${projectWord}; with --from-cluster this is NEW`,
    );
    command.argument('[new]', `a file, a folder, git:REF, git:REF:PATH, - or ${projectWord}`);
    booleanFlag(command, 'from-cluster', "OLD are the cluster's CRDs of the same names as in NEW", false);
    clusterFlags(command);
    command.addOption(
      new Option('--fail-on <changes>', 'exit 1 for breaking changes, for any change, or for none')
        .choices(['breaking', 'any', 'none'])
        .default('breaking'),
    );
    command.option(
      '--severity <code=severity>',
      'count changes of this code as breaking or compatible, such as enum-value-added=breaking; may be repeated',
      (value: string, before: readonly string[] = []) => [...before, value],
    );
    command.option('--waivers <file>', 'changes that are accepted until a date, each with its reason');
    command.addOption(
      new Option('--no-waivers', 'ignore the file of waivers that package.json names').hideHelp(),
    );
    booleanFlag(command, 'all', 'list changes of documentation, too', false);
    moreHelp(
      command,
      `
Compares CustomResourceDefinitions and says for each change whether it is breaking, for whom
(stored objects, clients that write, clients that read) and why. ${projectWord} stands for the definitions
that the project's sources generate now; git:REF reads config/crd/bases of a commit, without a checkout. What cannot be
decided counts as breaking.

  op-sdk crd diff config/crd/bases ${projectWord}
  op-sdk crd diff --from-cluster config/crd/bases
  op-sdk crd diff git:main ${projectWord}

package.json may say what the project counts otherwise (opsdk.crdDiff.severity), and name a file of
waivers (opsdk.crdDiff.waivers); flags override it.

  -o json       every change, with its stable code
  -o ${markdown}   tables for a comment on a pull request
  -o ${github}     annotations of GitHub Actions, at the lines of NEW
  -o ${sarif}      SARIF 2.1.0, for tools that annotate code

The exit code is 0 without breaking changes (see --fail-on), 1 with one or if something cannot
be read, and 2 for wrong usage.`,
    );
  },
  run: () => import('../actions/crd-diff.ts'),
};
