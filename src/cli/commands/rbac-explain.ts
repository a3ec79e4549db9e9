import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';

/** `op-sdk rbac explain`. */
export const command = defineCommand({
  flags: {
    rule: flag.text('rule', "only this one: 'deployments.apps', 'create,patch deployments.apps', '/metrics'"),
  },
  help: `
Says why the operator has its permissions: for each rule of the generated role the lines of the sources that need it,
and for each of these lines its rules. A line is a call, a part of defineController, or a rule that is written by hand.

  op-sdk rbac explain --rule secrets
  op-sdk rbac explain --rule 'delete pods' -o json`,
});
