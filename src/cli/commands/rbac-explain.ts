import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk rbac explain`. */
export const command: CommandModule = {
  configure(command) {
    command.option(
      '--rule <rule>',
      "only this one: 'deployments.apps', 'create,patch deployments.apps', '/metrics'",
    );
    moreHelp(
      command,
      `
Says why the operator has its permissions: for each rule of the generated role the lines of the sources that need it,
and for each of these lines its rules. A line is a call, a part of defineController, or a rule that is written by hand.

  op-sdk rbac explain --rule secrets
  op-sdk rbac explain --rule 'delete pods' -o json`,
    );
  },
  run: () => import('../actions/rbac-explain.ts'),
};
