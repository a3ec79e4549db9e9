import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../sdk/kube/index.ts';
import {
  leftConversion,
  restoreConversion,
  localOwner,
  isWebhookConfiguration,
} from '../../testing/index.ts';
import { object, string } from '../../base/util/json-reader.ts';
import { readJson, type JsonReader } from '../../base/util/read-json.ts';
import { deleteConfiguration, isOwnedBy, type CallerName } from './other-configurations.ts';

/** Settings with which a guard process connects to the same cluster as the command that starts the guard. */
export interface GuardSettings {
  /**
   * Absolute path of a Node script, followed by the first arguments for the script. The script must pass its stdin to {@link
   * runWebhookGuard}.
   */
  readonly program: readonly string[];
  /** Absolute path of a kubeconfig file. Default: the file that environment variables select. */
  readonly kubeconfig: string | undefined;
  /** Name of a context of the kubeconfig. Default: the current-context of the kubeconfig. */
  readonly context: string | undefined;
  /** Environment of the command. The guard gets it, because proxies and credential plugins may need it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called if the guard ends before it is dismissed. */
  readonly onProblem: (text: string) => void;
}

/**
 * Child process that continues to run after this process ends for any reason, and then removes the objects that this process has written to
 * a cluster. The guard loads the same kubeconfig when it starts, and receives the name of each object before the object is written. The
 * guard starts the removal when the pipe between the processes is closed. The kernel closes the pipe if this process is killed. The guard
 * does not remove objects that others have written since.
 *
 * Secrets are never written to the pipe, the command line or the disk.
 */
export class WebhookGuard {
  readonly #child: ChildProcess;
  readonly #protected = new Set<string>();
  #isDismissed = false;

  /**
   * @param project name of the project. It identifies the guard in a list of processes
   * @param server URL of the API server. The guard does not change any other cluster
   * @param owner mark in the annotations of the objects that this process writes
   */
  constructor(
    settings: GuardSettings,
    { project, server, owner }: { readonly project: string; readonly server: URL; readonly owner: string },
  ) {
    const { program, kubeconfig, context, onProblem } = settings;
    const env = { ...settings.env };
    // Loaders and debuggers of this process must not be applied to the guard.
    delete env['NODE_OPTIONS'];
    this.#child = spawn(process.execPath, [...program, '--', project], {
      stdio: ['pipe', 'ignore', 'ignore'],
      // Start the guard in its own session, so that Ctrl-C or the closing of the terminal does not end it.
      detached: true,
      windowsHide: true,
      env,
    });
    const ended = (reason: string): void => {
      if (this.#isDismissed) return;
      this.#isDismissed = true;
      onProblem(
        `if op-sdk is killed, its webhooks will be left on the cluster: the guard process that would remove them ${reason}`,
      );
    };
    this.#child.once('error', (error) => ended(`cannot be started: ${error.message}`));
    this.#child.once('exit', () => ended('has ended'));
    // Ignore errors of the pipe, because the end of the guard is reported above.
    this.#child.stdin?.on('error', () => undefined);
    this.#child.unref();
    this.#send({ server: server.href, owner, kubeconfig, context });
  }

  /** Announces an object that is about to be written, so that the guard removes it if this process is killed. */
  protect({ kind, name }: CallerName): void {
    const identity = `${kind} ${name}`;
    if (this.#protected.has(identity)) return;
    this.#protected.add(identity);
    this.#send({ kind, name });
  }

  /** Ends the guard without a removal, because the objects are already removed. */
  async dismiss(): Promise<void> {
    if (this.#isDismissed) return;
    this.#isDismissed = true;
    const exited = once(this.#child, 'exit');
    if (this.#child.kill('SIGKILL')) await exited;
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}

/**
 * Maximum time for the entire removal (`removalTimeout`), and time between two checks (`lookInterval`), both in milliseconds. The maximum
 * is long enough for a restart of the API server.
 */
const removalTimeout = 90_000;
const lookInterval = 1_000;

/**
 * Number of consecutive checks that must not find any objects. Several are needed, because a request of the killed process may still arrive
 * after the first one.
 */
const quietLooks = 3;

const assignment = object({ server: string, owner: string, kubeconfig: string, context: string });
const callerName = object({ kind: string, name: string });

/**
 * Runs a guard. Reads messages from the process that started it, until the end of that process closes the pipe. Then removes the objects
 * that the messages name.
 * @throws OpSdkError if the kubeconfig cannot be loaded, or selects another cluster by now
 */
export async function runWebhookGuard(input: NodeJS.ReadableStream): Promise<void> {
  let client: KubeClient | undefined;
  let owner: string | undefined;
  const callers: CallerName[] = [];
  for await (const line of createInterface({ input })) {
    if (client !== undefined) {
      const { kind, name } = readLine(callerName, line);
      if (kind !== undefined && name !== undefined) callers.push({ kind, name });
      continue;
    }
    const { server, kubeconfig, context, ...marks } = readLine(assignment, line);
    owner = marks.owner;
    // Load the kubeconfig now and not at the end, because the file may then be gone or name another cluster.
    const cluster = await loadCluster({ kubeconfig, context, home: process.env['HOME'] });
    if (cluster.server.href !== server)
      throw new Error(`expected ${String(server)}, got ${cluster.server.href}`);
    client = createClient({ cluster, fieldManager: 'op-sdk', userAgent: 'op-sdk' });
  }
  if (client === undefined || owner === undefined) return;
  try {
    if (callers.length > 0) await removeAll(client, callers, owner);
  } finally {
    await client.close();
  }
}

/**
 * Removes objects, and checks repeatedly if they exist again, because a request that the killed process had sent may arrive after the end
 * of that process.
 */
async function removeAll(client: KubeClient, callers: readonly CallerName[], owner: string): Promise<void> {
  const signal = AbortSignal.timeout(removalTimeout);
  for (let quiet = 0; quiet < quietLooks && !signal.aborted;) {
    const looks = await Promise.allSettled(callers.map((each) => removeCaller(client, each, owner, signal)));
    quiet = looks.every((look) => look.status === 'fulfilled' && !look.value) ? quiet + 1 : 0;
    if (quiet < quietLooks) await sleep(lookInterval);
  }
}

/** Removes one object. @returns true if the object existed and had to be removed */
async function removeCaller(
  client: KubeClient,
  caller: CallerName,
  owner: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (isWebhookConfiguration(caller))
    return deleteConfiguration(client, caller, (live) => isOwnedBy(live, owner), signal);
  const live = await client.find(CustomResourceDefinition, { name: caller.name }, { signal });
  if (live?.metadata.annotations?.[localOwner] !== owner) return false;
  const left = leftConversion(live);
  return left !== undefined && restoreConversion(client, left, signal);
}

/** Parses a message. If the end of the sender cut the message off, the result is empty. */
function readLine<T extends object>(reader: JsonReader<T>, line: string): Partial<T> {
  try {
    return readJson(reader, JSON.parse(line), 'the message').value ?? {};
  } catch {
    return {};
  }
}
