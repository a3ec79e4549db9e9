import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { clusterFlags } from '../flags/cluster-flags.ts';
import { github, markdown, projectWord, sarif } from '../flags/words.ts';

/** `op-sdk crd diff`. */
export const command = defineCommand({
  formats: [markdown, github, sarif],
  arguments: [
    [
      '<old>',
      `a file, a folder, git:REF, git:REF:PATH, - or ${projectWord}; with --from-cluster this is NEW`,
    ],
    ['[new]', `a file, a folder, git:REF, git:REF:PATH, - or ${projectWord}`],
  ],
  flags: {
    'from-cluster': flag.boolean("OLD are the cluster's CRDs of the same names as in NEW"),
    ...clusterFlags,
    'fail-on': flag.choice(
      'changes',
      ['breaking', 'any', 'none'],
      'exit 1 for breaking changes, for any change, or for none',
      { default: 'breaking' },
    ),
    severity: flag.list(
      'code=severity',
      'count changes of this code as breaking or compatible, such as enum-value-added=breaking; may be repeated',
    ),
    waivers: flag.refusable(
      flag.text('file', 'changes that are accepted until a date, each with its reason'),
    ),
    all: flag.boolean('list changes of documentation, too'),
  },
  help: `
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
});
