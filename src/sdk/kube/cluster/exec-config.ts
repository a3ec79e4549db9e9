import { stripVTControlCharacters } from 'node:util';
import { FindingList } from '../../../base/errors/index.ts';
import { isEntry, type Entry, type NamedEntry } from './kubeconfig-file.ts';

/** The checked `exec` field of a user in a kubeconfig. Source: client-go `tools/clientcmd/api/v1/types.go`, `ExecConfig`. */
export interface ExecPlugin {
  readonly user: NamedEntry;
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  /** Instructions for installing the plugin; `''` if the kubeconfig contains none. */
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
}

const v1 = 'client.authentication.k8s.io/v1';
const v1beta1 = 'client.authentication.k8s.io/v1beta1';

/**
 * Checks the `exec` field of a user in a kubeconfig.
 *
 * @throws OpSdkError `kube/kubeconfig-invalid` with all findings
 */
export function readExecPlugin(user: NamedEntry, exec: Entry): ExecPlugin {
  const findings = new FindingList();
  const wrong = (message: string, fix: string): void =>
    findings.add({
      code: 'kube/kubeconfig-invalid',
      message: `exec of user ${user.name}: ${message}`,
      where: { file: user.file },
      fix: [fix],
    });
  const text = (field: string): string => {
    const value = exec[field] ?? '';
    if (typeof value === 'string') return value;
    wrong(`${field}: expected a string, got ${typeof value}`, `write ${field} as a string`);
    return '';
  };
  const apiVersion = text('apiVersion');
  if (apiVersion !== v1 && apiVersion !== v1beta1)
    wrong(
      `apiVersion: expected ${v1} or ${v1beta1}, got ${JSON.stringify(apiVersion)}`,
      `write apiVersion: ${v1}, with a plugin that supports it`,
    );
  const command = text('command');
  if (command === '') wrong('command is missing', 'name the program of the plugin');
  const mode = text('interactiveMode');
  // In API versions before v1, the field `interactiveMode` did not exist, and a plugin could ask the user questions whenever stdin was a
  // terminal.
  const interactiveMode = mode === '' && apiVersion !== v1 ? 'IfAvailable' : mode;
  if (!isInteractiveMode(interactiveMode))
    wrong(
      `interactiveMode: expected Never, IfAvailable or Always, got ${JSON.stringify(mode)}`,
      'write interactiveMode: IfAvailable if the plugin may ask questions, else Never',
    );
  const args = list(exec['args']);
  if (args === undefined || !args.every((each) => typeof each === 'string'))
    wrong('args: expected a list of strings', 'put the arguments into quotes');
  const env = list(exec['env']);
  if (env === undefined || !env.every(isVariable))
    wrong('env: expected a list of {name, value}, both strings', 'put the values into quotes');
  findings.throwIfAny();
  return {
    user,
    apiVersion,
    command,
    args: (args ?? []) as readonly string[],
    env: Object.fromEntries(
      ((env ?? []) as { name: string; value?: string }[]).map(({ name, value }) => [name, value ?? '']),
    ),
    interactiveMode: interactiveMode as ExecPlugin['interactiveMode'],
    installHint: plainText(text('installHint')),
    provideClusterInfo: exec['provideClusterInfo'] === true,
  };
}

/** Removes colours and other control characters, because a kubeconfig and the output of a plugin may come from untrusted sources. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g, '');
}

function list(value: unknown): readonly unknown[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : undefined;
}

function isVariable(value: unknown): boolean {
  return (
    isEntry(value) &&
    typeof value['name'] === 'string' &&
    value['name'] !== '' &&
    typeof (value['value'] ?? '') === 'string'
  );
}

function isInteractiveMode(text: string): boolean {
  return text === 'Never' || text === 'IfAvailable' || text === 'Always';
}
