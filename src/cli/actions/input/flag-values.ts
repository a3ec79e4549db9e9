import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isIP } from 'node:net';
import { type Finding, FindingList, OpSdkError } from '../../../base/errors/index.ts';
import { type NameCheck, checkLabel } from '../../../project/project/index.ts';
import { durationMs } from '../../../sdk/runtime/index.ts';
import type { Inspection } from '../../../cluster/index.ts';
import type { InspectOptions } from '../../flags/project-flags.ts';
import type { NamespaceOptions } from '../../flags/cluster-flags.ts';
import type { CliContext } from '../../command.ts';
import { ask } from '../../ui/prompts.ts';

/** Adds a finding if the value of a flag fails its check. A flag that is not given passes. */
export function checkFlag(
  findings: FindingList,
  flag: string,
  value: string | undefined,
  check: NameCheck,
  fix: readonly string[],
): void {
  const problem = value === undefined ? undefined : check(value);
  if (problem === undefined) return;
  findings.add(invalidFlag(flag, `${flag} is ${JSON.stringify(value)}: ${problem}`, ...fix));
}

/** Returns the finding for a missing flag or argument, such as `[folder]`, without which the command cannot continue. */
export function missingFlag(flag: string, message: string, ...fix: readonly string[]): Finding {
  return { code: 'cli/missing-value', message, where: { flag }, fix };
}

/** Returns the finding for a flag or an argument whose value is not allowed. */
export function invalidFlag(flag: string, message: string, ...fix: readonly string[]): Finding {
  return { code: 'cli/invalid-value', message, where: { flag }, fix };
}

/** Returns the finding for two flags that exclude each other. */
export function exclusiveFlags(flag: string, other: string): Finding {
  return invalidFlag(flag, `${flag} and ${other} exclude each other`, 'leave one of them out');
}

/** Reads the value of `--nodes`. @throws OpSdkError `cli/invalid-value` */
export function nodeCountFlag(value: string): number {
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const message = `--nodes: expected a number from 0 to 99, got '${value}'`;
  throw new OpSdkError(invalidFlag('--nodes', message, 'write --nodes 1'));
}

/** Splits the value of a flag into items that are separated by commas. Surrounding blanks are removed and empty items are omitted. */
export function commaList(value: string): readonly string[] {
  return value.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
}

/**
 * Returns the duration that a flag such as `--timeout 90s` sets, in milliseconds.
 * @param text value of the flag; undefined if the flag is not given
 * @param initial duration in milliseconds to return if the flag is not given
 * @throws OpSdkError `cli/invalid-value`
 */
export function durationFlag(flag: string, text: string | undefined, initial: number): number {
  if (text === undefined) return initial;
  try {
    return durationMs(text);
  } catch (error) {
    const finding = invalidFlag(
      flag,
      `${flag} is ${JSON.stringify(text)}, which is not a duration`,
      'write numbers with units: 90s, 5m, 1h30m',
    );
    throw new OpSdkError(finding, { cause: error });
  }
}

/**
 * Returns the path of a folder inside the working directory, relative and with forward slashes, as file plans need it. Adds
 * `cli/invalid-value` for folders outside of the working directory, and for names that would need quotes in a Dockerfile or a
 * kustomization.
 */
export function folderFlag(findings: FindingList, cwd: string, flag: string, value: string): string {
  const folder = relative(cwd, resolve(cwd, value)).split(sep).join('/');
  const isInside = folder !== '' && folder !== '..' && !folder.startsWith('../') && !isAbsolute(folder);
  if (isInside && /^\w[\w./@+-]*$/.test(folder)) return folder;
  findings.add(
    invalidFlag(
      flag,
      `${flag} is ${JSON.stringify(value)}: ${
        isInside
          ? 'it has other characters than letters, digits and "./@+-_"'
          : 'it is not a folder inside the current folder'
      }`,
      'name a folder inside the folder of the project; it is created if it does not exist',
    ),
  );
  return folder;
}

/**
 * Checks the arguments that are passed to the operator. Refuses words in front of `--`, because they would be lost, and `--kubeconfig`,
 * because it would bypass the checks of op-sdk.
 * @param command `run` or `dev`
 */
export function checkOperatorFlags(
  findings: FindingList,
  command: 'run' | 'dev',
  args: readonly string[],
): void {
  const [first] = args;
  if (first !== undefined && !first.startsWith('-')) {
    findings.add({
      code: 'cli/unexpected-argument',
      message: `op-sdk ${command} takes no argument ${JSON.stringify(first)}`,
      fix: [
        'leave it out',
        `write flags for the operator after --: op-sdk ${command} -- --namespace=default`,
      ],
    });
  }
  if (args.some((argument) => /^--kubeconfig(?:=|$)/.test(argument))) {
    findings.add(
      invalidFlag(
        '--kubeconfig',
        '--kubeconfig comes after --: op-sdk would check another cluster than the operator uses',
        `write it in front: op-sdk ${command} --kubeconfig <file> -- …`,
      ),
    );
  }
}

/**
 * Reads the settings for a debugger from `--inspect` and `--inspect-brk`.
 * @returns undefined if the flags are not given or are invalid
 */
export function inspectionOf(
  findings: FindingList,
  { inspect, inspectBrk }: InspectOptions,
): Inspection | undefined {
  if (inspect !== undefined && inspectBrk !== undefined) {
    findings.add(exclusiveFlags('--inspect', '--inspect-brk'));
    return undefined;
  }
  const value = inspectBrk ?? inspect;
  if (value === undefined) return undefined;
  const wait = inspectBrk !== undefined;
  if (value === true) return { wait };
  const flag = wait ? '--inspect-brk' : '--inspect';
  // Node treats a value that it cannot parse as a host name, or chooses another port. So the value is checked before Node gets it.
  const port = /^(?:(?:\[[0-9a-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(value)?.[1];
  if (port === undefined || Number(port) > 65_535) {
    findings.add(
      invalidFlag(
        flag,
        `${flag}: expected a port, or host:port, got ${JSON.stringify(value)}`,
        `write ${flag}=9229, or ${flag}=127.0.0.1:9229`,
      ),
    );
    return undefined;
  }
  return { address: value, wait };
}

/** Adds a finding if `--webhook-host` is neither an IP address nor a host name. */
export function checkWebhookHost(findings: FindingList, host: string | undefined): void {
  if (host === undefined || isIP(host) !== 0) return;
  const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
  if (host.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`, 'i').test(host)) return;
  findings.add(
    invalidFlag(
      '--webhook-host',
      `--webhook-host: expected an IP address or a host name, got ${JSON.stringify(host)}`,
      'leave out scheme and port: --webhook-host=172.18.0.1',
    ),
  );
}

/** Returns the namespace that `--namespace` names; undefined if the flag is not given. @throws OpSdkError `cli/invalid-value` */
export function namespaceInput({ namespace }: NamespaceOptions): string | undefined {
  const findings = new FindingList();
  checkFlag(findings, '--namespace', namespace, checkLabel, ['name one namespace, such as --namespace=web']);
  findings.throwIfAny();
  return namespace;
}

/** Flag that a command requires. If the flag is missing and a user is at the terminal, the user is asked for the value. */
interface RequiredName<N extends string> {
  readonly name: N;
  /** Value of the flag; undefined if the flag is not given. */
  readonly given: string | undefined;
  readonly question: string;
  readonly check: NameCheck;
  readonly placeholder: string;
  /** Noun for the flag's value, used as the placeholder in an example. Default: a value. */
  readonly what?: string;
}

/**
 * Returns the values of the required flags, keyed by the names of the flags. A missing value is `''`. A finding is added for each value
 * that is missing or wrong.
 */
export async function requiredNames<N extends string>(
  context: CliContext,
  findings: FindingList,
  wanted: readonly RequiredName<N>[],
): Promise<Readonly<Record<N, string>>> {
  const values: Partial<Record<N, string>> = {};
  for (const { name, given, question, check, placeholder, what = 'a value' } of wanted) {
    const flag = `--${name}`;
    const value = given ?? (await ask(context, question, { check, placeholder }));
    if (value === undefined)
      findings.add(missingFlag(flag, `${flag} is missing`, `add ${flag}, such as ${flag} ${placeholder}`));
    checkFlag(findings, flag, value, check, [`give ${what} such as ${placeholder}`]);
    values[name] = value ?? '';
  }
  return values as Record<N, string>;
}
