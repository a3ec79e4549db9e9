import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { loadCluster } from '../../src/sdk/kube/index.ts';
import type { ControlPlane } from '../../src/testing/index.ts';
import { tcpProxy, type TcpProxy } from '../control-plane/sdk/kube/support/tcp-proxy.ts';

const program = fileURLToPath(new URL('replica.mjs', import.meta.url));

/** What a replica says of itself after garbage collection. */
export interface Measure {
  readonly heapUsed: number;
  readonly rss: number;
  /** Open handles and requests by their kind. */
  readonly resources: Readonly<Record<string, number>>;
  readonly reconciles: number;
}

/** A replica with a user and a way to the API server of its own. It is started again whenever it exits. */
export interface Replica {
  readonly name: string;
  readonly user: string;
  readonly proxy: TcpProxy;
  /** How often it has been started. */
  readonly starts: number;
  /** Warnings of Node, such as those about too many listeners. */
  readonly warnings: readonly string[];
  /** Of those that were asked to end, how many seconds each took that took longer than its grace. */
  readonly overdue: readonly number[];
  kill(signal: NodeJS.Signals): void;
  /** Its credential plugin hangs from the next run on, or answers again; what hangs already does not. */
  readonly hangPlugin: (hangs: boolean) => Promise<void>;
  /** Its next reconcile blocks the process, milliseconds. */
  block(milliseconds: number): void;
  /** Undefined if it exits before it has answered. */
  measure(): Promise<Measure | undefined>;
  /** SIGTERM, and no further start; with the exit code. */
  stop(): Promise<number | null>;
}

/** What a process may take to end: the default of gracefulShutdownTimeout, 5 s more, and the longest that a fault stops it; milliseconds. */
const grace = 75_000;

/** How long the credentials of a plugin are good, seconds. */
const pluginExpiry = 10;

/** A credential plugin that gives the certificate of a kubeconfig, or hangs while there is a file `hanging`. */
async function writePlugin(path: string, hanging: string, kubeconfig: string): Promise<string> {
  const field = (name: string): string =>
    Buffer.from(new RegExp(`"?${name}"?: "?([^"\\s,}]+)`).exec(kubeconfig)?.[1] ?? '', 'base64').toString();
  const answer = JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: {
      clientCertificateData: field('client-certificate-data'),
      clientKeyData: field('client-key-data'),
      expirationTimestamp: 'EXPIRES',
    },
  });
  const script = `#!/bin/sh
trap '' TERM
[ -e '${hanging}' ] && sleep 300
end=$(date -u -d '+${pluginExpiry} seconds' +%Y-%m-%dT%H:%M:%SZ)
sed "s/EXPIRES/$end/" '${path}.json'
`;
  await writeFile(`${path}.json`, answer);
  await writeFile(path, script, { mode: 0o755 });
  return path;
}

function withPlugin(kubeconfig: string, command: string): string {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command };
  const config = load(kubeconfig) as { users: { user: object }[] };
  for (const each of config.users) each.user = { exec };
  return JSON.stringify(config);
}

/** @param folder for its kubeconfig and its log */
export async function startReplica(plane: ControlPlane, name: string, folder: string): Promise<Replica> {
  const user = `replica-${name}`;
  const proxy = await tcpProxy(await loadCluster({ kubeconfig: plane.kubeconfig }));
  const { text } = await plane.userKubeconfig(user, ['system:masters']);
  await mkdir(folder, { recursive: true });
  const kubeconfig = join(folder, `${name}.kubeconfig`);
  const hanging = join(folder, `${name}.hangs`);
  const plugin = await writePlugin(join(folder, `${name}-plugin.sh`), hanging, text);
  await writeFile(kubeconfig, withPlugin(text, plugin).replaceAll(plane.url, proxy.cluster.server.origin));
  const log = createWriteStream(join(folder, `${name}.log`));
  const warnings: string[] = [];
  let child: ChildProcess;
  let starts = 0;
  let isStopped = false;
  let askedAt: number | undefined;
  const overdue: number[] = [];

  const start = (): void => {
    starts += 1;
    child = fork(
      program,
      [`--kubeconfig=${kubeconfig}`, '--health-probe-bind-address=0', '--metrics-bind-address=0'],
      {
        execArgv: ['--expose-gc', '--max-semi-space-size=4'],
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    child.on('message', (message: { readonly warning?: string }) => {
      if (message.warning !== undefined) warnings.push(message.warning);
    });
    child.once('exit', (code, signal) => {
      log.write(`--- exit ${code ?? signal}\n`);
      const took = askedAt === undefined ? 0 : performance.now() - askedAt;
      askedAt = undefined;
      if (took > grace) overdue.push(Math.round(took / 1000));
      // As a kubelet would, with less patience.
      if (!isStopped) setTimeout(() => isStopped || start(), 1_000);
    });
  };
  const tell = (message: object): void => {
    if (child.connected) child.send(message, () => undefined);
  };
  start();
  return {
    name,
    user,
    proxy,
    get starts() {
      return starts;
    },
    warnings,
    overdue,
    kill(signal) {
      if (signal === 'SIGTERM') askedAt ??= performance.now();
      child.kill(signal);
    },
    hangPlugin: (hangs) => (hangs ? writeFile(hanging, '') : rm(hanging, { force: true })),
    block: (milliseconds) => tell({ block: milliseconds }),
    measure() {
      const asked = child;
      if (asked.exitCode !== null || asked.signalCode !== null) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const settle = (answer: Measure | undefined): void => {
          asked.off('message', listen);
          asked.off('exit', gone);
          resolve(answer);
        };
        const listen = (message: Measure | { readonly warning: string }): void => {
          if (!('warning' in message)) settle(message);
        };
        const gone = (): void => settle(undefined);
        asked.on('message', listen);
        asked.once('exit', gone);
        tell({ measure: true });
      });
    },
    async stop() {
      isStopped = true;
      child.kill('SIGCONT');
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        askedAt ??= performance.now();
        child.kill('SIGTERM');
        await ended;
      }
      await proxy.close();
      return child.exitCode;
    },
  };
}
