import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk init`. */
export const command = defineCommand({
  locksProject: 'here',
  flags: {
    domain: flag.text('domain', 'domain of the API groups, such as example.com'),
    repo: flag.text('repo', 'the repository of the sources; recorded in PROJECT'),
    'project-name': flag.text('name', "name of the project (default: the folder's name)"),
    owner: flag.text('owner', 'owner named in the copyright'),
    license: flag.text('license', "licence of the source files: 'apache2' or 'none'", { default: 'apache2' }),
    opsdk: flag.text('spec', "the project's dependency on opsdk (default: this version; env: OPSDK_SPEC)"),
    'project-version': flag.text('version', 'version of the PROJECT format', { default: '3' }),
    namespaced: flag.boolean('the operator works in its own namespace, with Roles in place of ClusterRoles'),
    'skip-install': flag.boolean('do not install the dependencies'),
    force: flag.boolean('overwrite files that exist'),
    ...dryRunFlag,
  },
});
