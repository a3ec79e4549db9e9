import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';

/** `op-sdk registry logout`. */
export const command = defineCommand({
  arguments: [['<registry>', 'host, and port if there is one: registry.example.com, docker.io']],
  flags: {
    authfile: flag.text('file', "remove the credentials from this file (default: docker's config.json)"),
  },
  help: `
Removes the credentials that \`op-sdk registry login\` or \`docker login\` has stored, from the file
and from the credential helper that it names. The registry is not asked.`,
});
