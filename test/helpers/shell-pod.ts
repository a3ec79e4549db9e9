// A Pod with a shell and a server, for the tests of its commands, logs and ports.
import { expect } from 'vitest';
import type { KubeClient } from '../../src/sdk/kube/index.ts';
import { ConfigMap, Pod } from '../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../src/testing/index.ts';

export const namespace = 'default';
/** Name of the only container of {@link startShell}. */
export const container = 'main';
/** The Pod that the cases use. Its program is {@link shellProgram}. */
export const shell = { name: 'shell', namespace };

/** Time in which a Pod on a busy machine starts, or ends. */
export const patience = { timeout: '120s' } as const;

/** A module for Node: a server on an address that sends back what it gets, and writes long logs when it is asked. */
const shellProgram = `
  import { createServer } from 'node:net';
  const [address] = process.argv.slice(1);
  process.on('SIGTERM', () => process.exit());
  console.log('ready');
  console.error('é');
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      const [, count] = /^log (\\d+)/.exec(data) ?? [];
      if (count === undefined) {
        socket.write(data);
        return socket.pipe(socket);
      }
      process.stdout.write(('x'.repeat(1023) + '\\n').repeat(Number(count)), () => console.log('end'));
    });
  }).listen(7000, address);
`;

/** What the cases need of a cluster. */
export interface PodStreams {
  /** Client of the administrator. */
  readonly client: KubeClient;
  readonly kubeconfig: string;
  /** Image with Node and a shell, which runs the command of a container. */
  readonly image: string;
  /** Address at which a server in a Pod is found. */
  readonly address: string;
}

/** Returns true for the first lines of {@link shellProgram}, one of each output and so in any order. */
export const begun = (log: string): boolean => /^(ready\né|é\nready)/.test(log);

/** Creates a Pod that runs {@link shellProgram}, and waits until it is ready. */
export async function startShell({ client, image, address }: PodStreams, name: string): Promise<void> {
  await client.apply(ConfigMap, { metadata: { name: 'settings', namespace }, data: { color: 'red' } });
  const podIP = { fieldRef: { fieldPath: 'status.podIP' } };
  const shellPod = {
    metadata: { name, namespace, labels: { app: name } },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: container,
          image,
          command: ['node', '--input-type=module', '-e', shellProgram, '--', address],
          env: [
            { name: 'COLOR_FILE', value: '/etc/settings/color' },
            { name: 'POD_IP', valueFrom: podIP },
          ],
          volumeMounts: [{ name: 'settings', mountPath: '/etc/settings' }],
        },
      ],
      volumes: [{ name: 'settings', configMap: { name: 'settings' } }],
    },
  };
  // A new namespace has no ServiceAccount yet.
  await eventually(() => client.create(Pod, shellPod), patience);
  await eventually(async () => expect(begun(await logOf(client, name))).toBe(true), patience);
}

/** Returns the lines of a log as one text. */
export async function logOf(client: KubeClient, name: string, options: object = {}): Promise<string> {
  const lines: string[] = [];
  for await (const line of client.logs({ name, namespace }, options)) lines.push(line);
  return lines.join('\n');
}
