import { spawn } from 'node:child_process';
import { createSecureContext } from 'node:tls';
import { isatty } from 'node:tty';
import { JSON_SCHEMA, load } from 'js-yaml';
import { OpSdkError } from '../../errors/index.ts';
import { secrets } from '../../net/index.ts';
import { plainText, type ExecPlugin } from './exec-config.ts';
import { isEntry, type Entry } from './kubeconfig-file.ts';
import type { GivenCredentials } from './plugin-credentials.ts';

/** The world of a plugin. */
export interface ExecPluginWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The cluster as plugins see it; asked only for those that want it. Source: client-go `pkg/apis/clientauthentication/v1`. */
  readonly clusterInfo: () => Promise<Entry>;
  /** Whether stdin is a terminal. Default: asks the system. */
  readonly isTerminal?: () => boolean;
}

/**
 * Runs a credential plugin. Source: client-go `plugin/pkg/client/auth/exec/exec.go`; KEP-541.
 *
 * @throws OpSdkError `kube/credentials-failed` with what the plugin wrote to stderr
 */
export async function runExecPlugin(plugin: ExecPlugin, world: ExecPluginWorld): Promise<GivenCredentials> {
  const interactive = isInteractive(plugin, world.isTerminal ?? (() => isatty(0)));
  const info = {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: { ...(plugin.provideClusterInfo ? { cluster: await world.clusterInfo() } : {}), interactive },
  };
  const { stdout, stderr, end } = await run(plugin, interactive, {
    ...world.env,
    ...plugin.env,
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  });
  const answer = parseAnswer(stdout);
  const status = isEntry(answer) && isEntry(answer['status']) ? answer['status'] : undefined;
  // Also of a plugin that failed afterwards: its stderr may quote them.
  for (const field of ['token', 'clientKeyData'])
    if (typeof status?.[field] === 'string') secrets.hide(status[field]);
  if (end !== undefined) throw failed(plugin, end, stderr);
  return readStatus(plugin, answer, status, stderr);
}

function isInteractive(plugin: ExecPlugin, isTerminal: () => boolean): boolean {
  if (plugin.interactiveMode === 'Never') return false;
  const terminal = isTerminal();
  if (plugin.interactiveMode === 'Always' && !terminal)
    throw failed(
      plugin,
      'asks questions (interactiveMode: Always), but standard input is not a terminal',
      '',
      [
        'run the command in a terminal',
        'or let the plugin log in beforehand, and use interactiveMode: IfAvailable if it can work without questions',
      ],
    );
  return terminal;
}

/** What a plugin wrote, and how it failed if it did. */
interface PluginRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly end: string | undefined;
}

function run(
  plugin: ExecPlugin,
  interactive: boolean,
  env: Readonly<Record<string, string | undefined>>,
): Promise<PluginRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(plugin.command, plugin.args, {
      env: { ...env },
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr.push(chunk);
      // Questions, and addresses to log in at, are for whoever sits there.
      if (interactive) process.stderr.write(chunk);
    });
    child.once('error', (error: NodeJS.ErrnoException) => reject(notStarted(plugin, error)));
    child.once('close', (code, signal) =>
      resolve({
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: Buffer.concat(stderr).toString('utf8'),
        end:
          code === 0
            ? undefined
            : code === null
              ? `was ended by ${signal ?? 'a signal'}`
              : `failed with exit code ${code}`,
      }),
    );
  });
}

function parseAnswer(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    // client-go's decoder takes YAML, too.
    try {
      return load(stdout, { schema: JSON_SCHEMA });
    } catch {
      return undefined;
    }
  }
}

function readStatus(
  plugin: ExecPlugin,
  answer: unknown,
  status: Entry | undefined,
  stderr: string,
): GivenCredentials {
  const refuse = (message: string): OpSdkError => failed(plugin, message, stderr);
  // Its text is not shown: it was meant to hold a credential.
  if (!isEntry(answer) || answer['kind'] !== 'ExecCredential')
    throw refuse('did not write an ExecCredential to stdout');
  if (answer['apiVersion'] !== plugin.apiVersion)
    throw refuse(
      `expected an ExecCredential of ${plugin.apiVersion}, got ${JSON.stringify(answer['apiVersion'] ?? null)}`,
    );
  if (status === undefined) throw refuse('gave an ExecCredential without a status');
  const text = (field: string): string => {
    const value = status[field] ?? '';
    if (typeof value !== 'string') throw refuse(`status.${field}: expected a string, got ${typeof value}`);
    return value;
  };
  const [token, cert, key] = [text('token'), text('clientCertificateData'), text('clientKeyData')];
  if (token === '' && cert === '' && key === '')
    throw refuse('gave neither a token nor a certificate with its key');
  if ((cert === '') !== (key === ''))
    throw refuse(`gave a ${cert === '' ? 'key without a certificate' : 'certificate without a key'}`);
  if (cert !== '') checkKeyPair(cert, key, refuse);
  const expires = text('expirationTimestamp');
  const end = expires === '' ? undefined : Date.parse(expires);
  if (end !== undefined && Number.isNaN(end))
    throw refuse(`status.expirationTimestamp: expected an RFC 3339 time, got ${JSON.stringify(expires)}`);
  return {
    ...(token === '' ? {} : { token }),
    ...(cert === '' ? {} : { cert, key }),
    ...(end === undefined ? {} : { expires: end }),
  };
}

function checkKeyPair(cert: string, key: string, refuse: (message: string) => OpSdkError): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw refuse(`gave a certificate and a key that do not work together: ${(error as Error).message}`);
  }
}

function notStarted(plugin: ExecPlugin, error: NodeJS.ErrnoException): OpSdkError {
  const why = error.code === 'ENOENT' ? 'was not found' : `could not be started: ${error.message}`;
  return failed(plugin, why, '', [
    ...(plugin.installHint === '' ? [] : [plugin.installHint]),
    `install ${plugin.command}, or correct users[].user.exec.command`,
  ]);
}

/** The end of what a plugin wrote: what matters is said last. */
const longestStderr = 2000;

function failed(plugin: ExecPlugin, what: string, stderr: string, fix: readonly string[] = []): OpSdkError {
  const { user, command } = plugin;
  const said = plainText(secrets.redact(stderr)).trim().slice(-longestStderr);
  const message = `the credential plugin ${command} of user ${user.name} ${what}`;
  return new OpSdkError({
    code: 'kube/credentials-failed',
    message: said === '' ? message : `${message}\n${said}`,
    where: { file: user.file },
    ...(fix.length === 0 ? {} : { fix }),
  });
}
