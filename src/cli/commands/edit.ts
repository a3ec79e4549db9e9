import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';

/** `op-sdk edit`. */
export const command = defineCommand({
  locksProject: 'project',
  flags: {
    namespaced: flag.boolean('the operator works in its own namespace; =false: in all of them', {
      unset: true,
    }),
    multigroup: flag.boolean('record in PROJECT that it has several groups; moves no file', { unset: true }),
    license: flag.text('license', "licence of new source files: 'apache2' or 'none'"),
    owner: flag.text('owner', 'owner named in the copyright of new source files'),
    force: flag.boolean('overwrite a header that was edited; it is kept beside the new one'),
    ...dryRunFlag,
  },
  help: `
--namespaced changes config/rbac, the environment variable WATCH_NAMESPACE in config/manager/manager.yaml, and PROJECT. Everything else
in these files stays as it is; what cannot be changed is reported, with the lines to write.`,
});
