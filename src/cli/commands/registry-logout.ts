import type { CommandModule } from '../command.ts';
import { moreHelp } from '../flags/common.ts';

/** `op-sdk registry logout`. */
export const command: CommandModule = {
  configure(command) {
    command.argument('<registry>', 'host, and port if there is one: registry.example.com, docker.io');
    command.option(
      '--authfile <file>',
      "remove the credentials from this file (default: docker's config.json)",
    );
    moreHelp(
      command,
      `
Removes the credentials that \`op-sdk registry login\` or \`docker login\` has stored, from the file
and from the credential helper that it names. The registry is not asked.`,
    );
  },
  run: () => import('../actions/registry-logout.ts'),
};
