import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { markdown, projectWord } from '../flags/words.ts';

/** `op-sdk rbac diff`. */
const sides = `a file, a folder, git:REF, git:REF:PATH, - or ${projectWord}`;
export const command = defineCommand({
  formats: [markdown],
  arguments: [
    ['<old>', sides],
    ['[new]', `the same (default: ${projectWord})`],
  ],
  flags: {
    'fail-on': flag.choice(
      'changes',
      ['widened', 'any', 'none'],
      'exit 1 for widened permissions, for any change, or for none',
      { default: 'widened' },
    ),
  },
  help: `
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
});
