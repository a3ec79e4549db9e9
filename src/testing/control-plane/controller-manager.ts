import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';
import type { KeyPair } from '../../sdk/x509/certificate-authority.ts';
import { FindingList } from '../../base/errors/index.ts';
import { type PlacedObject, parseKubernetesYaml, toYaml } from '../../kubernetes/yaml/index.ts';
import { readWebhookFiles, readCrdFiles, type CrdFile } from '../manifest-files.ts';
import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { startComponent, type ComponentHost } from './component.ts';
import { controllerManagerFlags } from './flags.ts';
import type { Pki } from './pki.ts';
import type { ControlPlaneOptions } from './types.ts';

/** The common name in the client certificate of the controller manager. */
export const controllerManagerUser = 'system:kube-controller-manager';

interface ControllerManagerOptions {
  readonly endpoint: ApiEndpoint;
  /** The client certificate of {@link controllerManagerUser}. */
  readonly credentials: KeyPair;
  readonly files: Pick<Pki['files'], 'ca' | 'serviceAccountKey'>;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** True if the control plane has nodes, whose leases are to be watched. Default: false. */
  readonly hasNodes?: boolean;
  /** True if Pods have processes: their addresses cannot be endpoints of Services. Default: false. */
  readonly runsProcesses?: boolean;
  /** True to use leader election, so that several controller managers may run but only the leader works. Default: false. */
  readonly isElected?: boolean;
}

/**
 * Starts kube-controller-manager and waits until it works or, with leader election, until the leader works, which may be another process.
 * @throws OpSdkError testenv/start-failed with the end of its log
 */
export async function startControllerManager(
  host: ComponentHost,
  {
    endpoint,
    credentials,
    files,
    featureGates = {},
    hasNodes = false,
    runsProcesses = false,
    isElected = false,
  }: ControllerManagerOptions,
): Promise<void> {
  const { folder } = host;
  const kubeconfig = join(folder, 'controller-manager.kubeconfig');
  const user = { name: controllerManagerUser, credentials };
  await writeFile(kubeconfig, kubeconfigText(endpoint, user), { mode: 0o600 });
  const flags = controllerManagerFlags({
    ...{ kubeconfig, folder, files, featureGates, hasNodes, runsProcesses, isElected },
  });
  const started = Date.now();
  // The controller manager has no endpoint that shows its readiness, so check for its first visible effect in the API.
  const isReady = isElected
    ? () => isLeaseRenewed(endpoint, started)
    : () => hasDefaultServiceAccount(endpoint);
  await startComponent(host, 'kube-controller-manager', flags, isReady);
}

async function hasDefaultServiceAccount(endpoint: ApiEndpoint): Promise<boolean> {
  const path = '/api/v1/namespaces/default/serviceaccounts/default';
  return (await apiRequest(endpoint, { path })).status === 200;
}

/** Returns true if the leader's Lease was renewed after the given time. @param since milliseconds since 1970 */
async function isLeaseRenewed(endpoint: ApiEndpoint, since: number): Promise<boolean> {
  const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
  const response = await apiRequest(endpoint, { path });
  if (response.status !== 200) return false;
  const { spec } = response.json() as { readonly spec?: { readonly renewTime?: string } };
  return Date.parse(spec?.renewTime ?? '') >= since;
}

/** CRDs and webhook configurations to install when a control plane starts. */
export interface Manifests {
  readonly crds: readonly CrdFile[];
  readonly webhooks: readonly PlacedObject[];
}

/** Reads the CRDs and webhooks of the options. @throws OpSdkError with the findings of all files */
export async function readInitialManifests({ crds = [], webhooks }: ControlPlaneOptions): Promise<Manifests> {
  const findings = new FindingList();
  const read = {
    crds: (await findings.gather(() => readCrdFiles(crds))) ?? [],
    webhooks: (await findings.gather(() => readWebhookFiles(webhooks?.paths ?? []))) ?? [],
  };
  findings.throwIfAny();
  return read;
}

/** Credentials of a user: a client certificate, a bearer token, or the path of a file with a token. */
type UserCredentials =
  | { readonly certificate: string; readonly key: string }
  | { readonly token: string }
  | { readonly tokenFile: string };

const clusterName = 'op-sdk-testenv';

/**
 * Returns the text of a kubeconfig file with one cluster, one user and one context. Credentials other than a token file are embedded, so
 * that the file can be moved.
 */
export function kubeconfigText(
  cluster: { readonly url: string; readonly caCertificate: string },
  user: { readonly name: string; readonly credentials: UserCredentials; readonly namespace?: string },
): string {
  const { credentials } = user;
  const context = { cluster: clusterName, user: user.name };
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: clusterName,
        cluster: { server: cluster.url, 'certificate-authority-data': base64(cluster.caCertificate) },
      },
    ],
    users: [
      {
        name: user.name,
        user:
          'token' in credentials || 'tokenFile' in credentials
            ? credentials
            : {
                'client-certificate-data': base64(credentials.certificate),
                'client-key-data': base64(credentials.key),
              },
      },
    ],
    contexts: [
      {
        name: clusterName,
        context: user.namespace === undefined ? context : { ...context, namespace: user.namespace },
      },
    ],
    'current-context': clusterName,
  });
}

/** Returns true if the text is output of {@link kubeconfigText}, so its only cluster is a test control plane. */
export function isTestenvKubeconfig(text: string): boolean {
  let document: unknown;
  try {
    document = parseKubernetesYaml(text, 'kubeconfig')[0]?.value;
  } catch {
    // Text that is not valid YAML was not written by op-sdk.
    return false;
  }
  const clusters = jsonListOf(jsonMapOf(document)['clusters']);
  return clusters.length === 1 && jsonMapOf(clusters[0])['name'] === clusterName;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
