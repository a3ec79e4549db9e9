import { createClient, loadCluster, type KubeClient } from '../../sdk/kube/index.ts';
import { toError } from '../../sdk/net/index.ts';
import type { CertificateAuthority } from '../../sdk/x509/certificate-authority.ts';
import type { ApiEndpoint } from '../http/api-request.ts';
import { startNodes } from '../node/index.ts';
import type { ComponentHost } from './component.ts';
import { kubeconfigText } from './controller-manager.ts';
import type { RunningNodes } from './running-control-plane.ts';
import type { ControlPlaneOptions } from './types.ts';

/** Parts of a control plane that its nodes need. */
export interface NodeEnvironment extends Pick<ComponentHost, 'guardian' | 'folder'> {
  readonly version: string;
  readonly endpoint: ApiEndpoint;
  readonly authority: CertificateAuthority;
}

/** Hooks around the life of nodes. Each gets the client of the nodes. */
export interface NodeHooks {
  /** Called before the nodes are registered. */
  readonly before?: (client: KubeClient) => Promise<void>;
  /** Called after the nodes have ended. */
  readonly after?: (client: KubeClient) => Promise<void>;
}

/**
 * Starts the nodes of a control plane, with a client of their own.
 *
 * @param kubeconfig path of the administrator's kubeconfig
 */
export async function runNodes(
  kubeconfig: string,
  { version, endpoint, guardian, folder, authority }: NodeEnvironment,
  { nodes = {} }: Pick<ControlPlaneOptions, 'nodes'>,
  { before, after }: NodeHooks = {},
): Promise<RunningNodes> {
  const client = createClient({ cluster: await loadCluster({ kubeconfig }), fieldManager: 'op-sdk-node' });
  const stop = new AbortController();
  const settings = typeof nodes === 'number' ? { count: nodes } : nodes;
  // Errors of the API server pass while it restarts; what does not pass is seen in the tests, with this as its reason.
  const onError = (error: unknown): void => {
    if (!stop.signal.aborted) process.emitWarning(toError(error));
  };
  try {
    await before?.(client);
    const running = await startNodes({
      ...settings,
      ...{ client, version, authority, signal: stop.signal, onError },
      host: {
        ...{ guardian, folder, caCertificate: endpoint.caCertificate },
        kubeconfig: ({ namespace, name }, tokenFile) => {
          const user = {
            name: `system:serviceaccount:${namespace}:${name}`,
            credentials: { tokenFile },
            namespace,
          };
          return kubeconfigText(endpoint, user);
        },
      },
    });
    const end = async (): Promise<void> => {
      stop.abort();
      await running.close();
      await after?.(client);
      await client.close();
    };
    return { workloads: running.workloads, stop: end };
  } catch (error) {
    stop.abort();
    await client.close();
    throw error;
  }
}
