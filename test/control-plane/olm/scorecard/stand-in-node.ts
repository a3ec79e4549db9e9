import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Node, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';
import { uniqueName } from '../../../helpers/control-plane.ts';

/** What becomes of a Pod on the node. */
export interface Fate {
  /** Written into its status. */
  readonly status: NonNullable<Pod['status']>;
  /** What its containers have printed, by their names. The node refuses to read the logs of others. */
  readonly logs?: Readonly<Record<string, string>>;
}

/** A node without containers: it says of Pods what a test wants them to be, and serves their logs to the API server. */
export interface StandInNode extends AsyncDisposable {
  /** The Pods that it has taken, as they were created, in the order of their arrival. */
  readonly taken: readonly Pod[];
}

/**
 * Takes the Pods of a namespace, one look after the other.
 * @param decide the fate of a Pod; undefined while it is undecided
 */
export async function standInNode(
  client: KubeClient,
  namespace: string,
  decide: (pod: Pod) => Fate | undefined,
): Promise<StandInNode> {
  const logs = new Map<string, string>();
  const authority = createCertificateAuthority('stand-in');
  const { certificate, key } = authority.issue({
    commonName: 'node',
    usage: 'server',
    ipAddresses: ['127.0.0.1'],
  });
  const server = createServer({ cert: certificate, key }, ({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'https://node');
    const log = logs.get(pathname);
    if (log === undefined) response.writeHead(500).end('the container runtime has no such log\n');
    else response.writeHead(200).end(tail(log, searchParams.get('tailLines')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const name = uniqueName('node');
  await client.create(Node, { metadata: { name } });
  await client.patch(
    Node,
    { name },
    {
      type: 'merge',
      body: {
        status: {
          addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
          daemonEndpoints: { kubeletEndpoint: { Port: port } },
        },
      },
    },
    { subresource: 'status' },
  );

  const taken: Pod[] = [];
  const done = new Set<string>();
  const end = new AbortController();
  const take = async (pod: Pod): Promise<void> => {
    const place = { name: pod.metadata.name, namespace };
    if (!taken.some(({ metadata }) => metadata.uid === pod.metadata.uid)) {
      taken.push(pod);
      await client.subresource(Pod, place, 'binding').create({
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: place,
        target: { apiVersion: 'v1', kind: 'Node', name },
      });
    }
    const fate = decide(pod);
    if (fate === undefined) return;
    done.add(pod.metadata.uid ?? '');
    for (const [container, log] of Object.entries(fate.logs ?? {}))
      logs.set(`/containerLogs/${namespace}/${place.name}/${container}`, log);
    const { status } = fate;
    await client.patch(Pod, place, { type: 'merge', body: { status } }, { subresource: 'status' });
  };
  const work = (async () => {
    while (!end.signal.aborted) {
      const { items } = await client.list(Pod, { namespace });
      const waiting = items.filter(({ metadata }) => !done.has(metadata.uid ?? ''));
      // A Pod may be deleted meanwhile.
      for (const pod of waiting) await take(pod).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    taken,
    async [Symbol.asyncDispose]() {
      end.abort();
      await work;
      await client.delete(Node, { name });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function tail(log: string, lines: string | null): string {
  if (lines === null) return log;
  const all = log.replace(/\n$/, '').split('\n');
  return `${all.slice(-Number(lines)).join('\n')}\n`;
}
