import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { connectionFlags } from '../flags/registry-flags.ts';

/** `op-sdk registry login`. */
export const command = defineCommand({
  arguments: [['<registry>', 'host, and port if there is one: registry.example.com, docker.io']],
  flags: {
    username: flag.text('name', 'user name; <token> if an identity token is in place of a password', {
      short: 'u',
    }),
    'password-stdin': flag.boolean('read the password from standard input'),
    // Known so that it can be explained.
    password: flag.optional('password', '', { short: 'p', hidden: true }),
    ...connectionFlags,
    authfile: flag.text('file', "store the credentials in this file (default: docker's config.json)"),
  },
  help: `
Asks the registry whether it accepts the credentials, then stores them: in the credential helper
that docker's config.json names, else in that file, or in the file of --authfile or
REGISTRY_AUTH_FILE. On a terminal, user name and password are asked for.

  op-sdk registry login registry.example.com -u me --password-stdin < password.txt`,
});
