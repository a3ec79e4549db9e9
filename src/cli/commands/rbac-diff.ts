import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';
import { markdown, projectWord } from '../flags/words.ts';

/** `op-sdk rbac diff`. */
export const command: CommandModule = {
  formats: [markdown],
  configure(command) {
    const sides = `a file, a folder, git:REF, git:REF:PATH, - or ${projectWord}`;
    command.argument('<old>', sides);
    command.argument('[new]', `the same (default: ${projectWord})`);
    command.addOption(
      new Option('--fail-on <changes>', 'exit 1 for widened permissions, for any change, or for none')
        .choices(['widened', 'any', 'none'])
        .default('widened'),
    );
    moreHelp(
      command,
      `
Compares what roles and bindings permit, not their text: rules in another order or form are no change, and a
permission that another rule includes is none either. ${projectWord} stands for the role that the project's sources
generate now; nothing is written. git:REF reads config/rbac of a commit, without a checkout.

  op-sdk rbac diff git:main
  op-sdk rbac diff git:main git:HEAD
  op-sdk rbac diff git:v1.0.0:bundle/manifests bundle/manifests

  -o json       every permission that was added or removed
  -o ${markdown}   tables for a comment on a pull request

The exit code is 0 if no permission is widened (see --fail-on), 1 if one is or if something cannot be read, and
2 for wrong usage.`,
    );
  },
  run: () => import('../actions/rbac-diff.ts'),
};
