import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';
import type { KeyPair } from '../../sdk/x509/certificate-authority.ts';
import { startComponent, type ComponentHost } from './component.ts';
import { controllerManagerFlags } from './flags.ts';
import { kubeconfigText } from './kubeconfig.ts';
import type { Pki } from './pki.ts';

/** The common name of its certificate. */
export const controllerManagerUser = 'system:kube-controller-manager';

export interface ControllerManagerOptions {
  readonly endpoint: ApiEndpoint;
  /** The client certificate of {@link controllerManagerUser}. */
  readonly credentials: KeyPair;
  readonly files: Pick<Pki['files'], 'ca' | 'serviceAccountKey'>;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** True: others may run beside it, of which one works at a time. Default: false. */
  readonly isElected?: boolean;
}

/**
 * Starts kube-controller-manager and waits until it, or one beside it, works.
 * @throws OpSdkError testenv/start-failed with the end of its log
 */
export async function startControllerManager(
  host: ComponentHost,
  { endpoint, credentials, files, featureGates = {}, isElected = false }: ControllerManagerOptions,
): Promise<void> {
  const { folder } = host;
  const kubeconfig = join(folder, 'controller-manager.kubeconfig');
  const user = { name: controllerManagerUser, credentials };
  await writeFile(kubeconfig, kubeconfigText(endpoint, user), { mode: 0o600 });
  const flags = controllerManagerFlags({ kubeconfig, folder, files, featureGates, isElected });
  const started = Date.now();
  // It serves nothing that could be asked; this is its first visible work.
  const isReady = isElected
    ? () => isLeaseRenewed(endpoint, started)
    : () => hasDefaultServiceAccount(endpoint);
  await startComponent(host, 'kube-controller-manager', flags, isReady);
}

async function hasDefaultServiceAccount(endpoint: ApiEndpoint): Promise<boolean> {
  const path = '/api/v1/namespaces/default/serviceaccounts/default';
  return (await apiRequest(endpoint, { path })).status === 200;
}

/** @param since milliseconds of the epoch */
async function isLeaseRenewed(endpoint: ApiEndpoint, since: number): Promise<boolean> {
  const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
  const response = await apiRequest(endpoint, { path });
  if (response.status !== 200) return false;
  const { spec } = response.json() as { readonly spec?: { readonly renewTime?: string } };
  return Date.parse(spec?.renewTime ?? '') >= since;
}
