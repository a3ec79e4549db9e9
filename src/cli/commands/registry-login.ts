import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { connectionFlags } from '../flags/registry-flags.ts';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { secrets } from '../../sdk/net/index.ts';
import {
  identityTokenUser,
  type StorableSecret,
  checkLogin,
  loadAuthorities,
  storeLogin,
} from '../../images/index.ts';
import { ask, askSecret } from '../ui/prompts.ts';
import { registryOptions, parseRegistry } from '../actions/images/registry-options.ts';
import { invalidFlag, missingFlag } from '../actions/input/flag-values.ts';

const flags = {
  username: flag.text('name', 'user name; <token> if an identity token is in place of a password', {
    short: 'u',
  }),
  'password-stdin': flag.boolean('read the password from standard input'),
  // This hidden flag exists only so that its use leads to an explanation.
  password: flag.optional('password', '', { short: 'p', hidden: true }),
  ...connectionFlags,
  authfile: flag.text('file', "store the credentials in this file (default: docker's config.json)"),
};

export const command = defineCommand({
  arguments: [['<registry>', 'host, and port if there is one: registry.example.com, docker.io']],
  flags,
  help: `
Asks the registry whether it accepts the credentials, then stores them: in the credential helper
that docker's config.json names, else in that file, or in the file of --authfile or
REGISTRY_AUTH_FILE. On a terminal, user name and password are asked for.

  op-sdk registry login registry.example.com -u me --password-stdin < password.txt`,
  async run(context, options, [text = '']) {
    const settings = registryOptions(context, options);
    const findings = new FindingList();
    const registry = await findings.gather(() => parseRegistry(text));
    checkFlags(context, options, findings);
    await findings.gather(() => loadAuthorities(settings.caFile, settings.env));
    findings.throwIfAny();
    if (registry === undefined) throw new TypeError('a check failed without saying why');
    const secret = await readSecret(context, options, registry);
    const asked = await checkLogin(registry, secret, settings);
    const stored = await storeLogin(registry, secret, settings);
    const place = stored.helper === undefined ? stored.file : `docker-credential-${stored.helper}`;
    const warnings: Finding[] = [];
    if (!asked)
      warnings.push({
        code: 'oci/login-unchecked',
        message: `the credentials are stored, but could not be checked: the registry ${registry} does not ask for credentials`,
        where: { object: registry },
      });
    if (stored.helper === undefined)
      warnings.push({
        code: 'oci/login-unencrypted',
        message: `the credentials are stored unencrypted in ${stored.file}, readable for you only`,
        where: { file: stored.file },
        fix: [
          'name a credential helper in that file: "credsStore": "NAME", for the program docker-credential-NAME',
        ],
      });
    if (stored.shadowedBy !== undefined)
      warnings.push({
        code: 'oci/login-not-used',
        message: `the stored credentials will not be used: op-sdk finds other credentials for ${registry} first (${stored.shadowedBy})`,
        where: { object: registry },
        fix: ['remove the other credentials', `or name the file in each command: --authfile ${stored.file}`],
      });
    for (const part of stored.parts)
      warnings.push({
        code: 'oci/login-not-used',
        message: `the stored credentials will not be used for ${part}, which already has an entry with credentials of its own`,
        where: { file: stored.file },
        fix: [`remove the entry ${part} if the stored credentials are to be used`],
      });
    return {
      result: {
        registry,
        file: stored.file,
        ...(stored.helper === undefined ? {} : { helper: stored.helper }),
        checked: asked,
      },
      text: `logged in to ${registry}; the credentials are in ${place}`,
      warnings,
    };
  },
});

type Options = ParsedOptions<typeof flags>;

function checkFlags(context: CliContext, options: Options, findings: FindingList): void {
  if (options.password !== undefined)
    findings.add(
      invalidFlag(
        '--password',
        '--password is not supported: the arguments of a program are in the history of the shell, and in lists of processes',
        'write --password-stdin, and give the password on standard input',
      ),
    );
  const { username } = options;
  if (username !== undefined && username !== identityTokenUser && (username === '' || username.includes(':')))
    findings.add(invalidFlag('--username', 'invalid user name: expected text without colon', 'correct it'));
  if (options.passwordStdin !== true && options.password === undefined && !context.interactive)
    findings.add(
      missingFlag(
        '--password-stdin',
        'the password is missing, and nobody can be asked',
        'write --password-stdin',
      ),
    );
  if (username === undefined && (options.passwordStdin === true || !context.interactive))
    findings.add(missingFlag('--username', 'the user name is missing', 'write --username NAME'));
}

async function readSecret(context: CliContext, options: Options, registry: string): Promise<StorableSecret> {
  const check = (answer: string): string | undefined =>
    answer === '' || answer.includes(':') ? 'expected text without colon' : undefined;
  const username =
    options.username ?? (await ask(context, `User name for ${registry}`, { check, placeholder: '' })) ?? '';
  const given =
    options.passwordStdin === true
      ? (await context.readStdin()).replace(/\r?\n$/, '')
      : ((await askSecret(context, 'Password or token')) ?? '');
  secrets.hide(given);
  const flag = options.passwordStdin === true ? '--password-stdin' : '<registry>';
  if (given === '') throw new OpSdkError(missingFlag(flag, 'the password is empty', 'give one'));
  if (/[\0\r\n]/.test(given))
    throw new OpSdkError(invalidFlag(flag, 'invalid password: expected one line', 'give the password alone'));
  return username === identityTokenUser
    ? { kind: 'identity-token', token: given }
    : { kind: 'password', username, password: given };
}
