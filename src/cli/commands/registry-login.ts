import { Option } from 'commander';
import type { CommandModule } from '../command.ts';
import { booleanFlag, moreHelp } from '../flags/common.ts';
import { connectionFlags } from '../flags/registry-flags.ts';

/** `op-sdk registry login`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<registry>', 'host, and port if there is one: registry.example.com, docker.io');
    command.option(
      '-u, --username <name>',
      'user name; <token> if an identity token is in place of a password',
    );
    booleanFlag(command, 'password-stdin', 'read the password from standard input', false);
    // Known so that it can be explained.
    command.addOption(new Option('-p, --password [password]').hideHelp());
    connectionFlags(command);
    command.option('--authfile <file>', "store the credentials in this file (default: docker's config.json)");
    moreHelp(
      command,
      `
Asks the registry whether it accepts the credentials, then stores them: in the credential helper
that docker's config.json names, else in that file, or in the file of --authfile or
REGISTRY_AUTH_FILE. On a terminal, user name and password are asked for.

  op-sdk registry login registry.example.com -u me --password-stdin < password.txt`,
    );
  },
  run: () => import('../actions/registry-login.ts'),
};
