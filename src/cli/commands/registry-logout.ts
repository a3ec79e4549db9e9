import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { eraseLogin } from '../../images/index.ts';
import { registryOptions, parseRegistry } from '../actions/images/registry-options.ts';

export const command = defineCommand({
  arguments: [['<registry>', 'host, and port if there is one: registry.example.com, docker.io']],
  flags: {
    authfile: flag.text('file', "remove the credentials from this file (default: docker's config.json)"),
  },
  help: `
Removes the credentials that \`op-sdk registry login\` or \`docker login\` has stored, from the file
and from the credential helper that it names. The registry is not asked.`,
  async run(context, options, [text = '']) {
    const registry = parseRegistry(text);
    const { file, erased, leftIn } = await eraseLogin(registry, registryOptions(context, options));
    const done = erased ? `removed the credentials for ${registry}` : `not logged in to ${registry}`;
    const left = leftIn === undefined ? '' : `\nother credentials are still used: ${leftIn}`;
    return {
      result: { registry, file, erased, ...(leftIn === undefined ? {} : { leftIn }) },
      text: done + left,
    };
  },
});
