import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import { applyCrds } from '../crds/apply-crds.ts';
import { readCrdFiles, type CrdFile } from '../manifest-files.ts';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';
import type { CertificateAuthority, KeyPair } from '../../sdk/x509/certificate-authority.ts';
import type { Guardian } from '../../base/process/guardian.ts';
import type { PreparedWebhooks } from '../webhooks/control-plane-webhooks.ts';
import type { TestNodes } from '../node/index.ts';
import { type ApiServer, readAuditLog } from './components.ts';
import { logFile, type Ending } from './component.ts';
import { kubeconfigText } from './controller-manager.ts';
import type { Pki } from './pki.ts';
import type { AuditEvent, ControlPlane, KubeconfigFile } from './types.ts';

/** The parts from which `startControlPlane` assembles a running control plane. */
interface ControlPlaneParts {
  readonly version: string;
  readonly endpoint: ApiEndpoint;
  readonly adminKubeconfig: KubeconfigFile;
  readonly folder: string;
  readonly auditLog: string | undefined;
  readonly pki: { readonly authority: CertificateAuthority; readonly files: SharedControlPlane['files'] };
  readonly apiServer: Pick<ApiServer, 'isRunning' | 'signal' | 'restart'>;
  /** Nodes on which Pods run. Default: none. */
  readonly nodes?: RunningNodes | undefined;
  /** Service that creates the default ServiceAccounts; it is stopped with the control plane. Default: none. */
  readonly serviceAccounts?: { stop(): void };
  readonly guardian: Pick<Guardian, 'stop'>;
  readonly ending: Pick<Ending, 'ended' | 'expectAll'>;
  /** Folder with the log of kube-controller-manager. Default: `folder`. */
  readonly controllerManagerFolder?: string;
  /** Folder for kubeconfigs of users. Default: `folder`. */
  readonly kubeconfigFolder?: string;
  /** Path of the kubeconfig for the operator under test. Default: the administrator's kubeconfig. */
  readonly operatorKubeconfig?: string;
  /** Webhooks that the operator under test serves. Default: none. */
  readonly webhooks?: PreparedWebhooks | undefined;
  /** Called before CRDs are applied. */
  readonly beforeCrds?: (crds: readonly CrdFile[]) => Promise<void>;
}

/** Nodes of a control plane, and the function that ends them. */
export interface RunningNodes {
  readonly workloads: TestNodes;
  stop(): Promise<void>;
}

/** Description of a control plane, stored in a file for other processes of the same user. */
export interface SharedControlPlane {
  readonly version: string;
  readonly url: string;
  readonly caCertificate: string;
  readonly credentials: KeyPair;
  readonly adminKubeconfig: KubeconfigFile;
  readonly folder: string;
  readonly auditLog: string | undefined;
  readonly authority: KeyPair;
  /** Path of the kubeconfig file for the operator under test. */
  readonly operatorKubeconfig: string;
  /** Files that kube-controller-manager reads. */
  readonly files: Pick<Pki['files'], 'ca' | 'serviceAccountKey'>;
  /** True if kube-controller-manager runs. */
  readonly controllerManager: boolean;
  /** Port of the turns of processes that bring nodes; undefined if the control plane is not prepared for nodes. */
  readonly nodeTurns?: number | undefined;
}

/** The running control plane that tests receive. */
export class RunningControlPlane implements ControlPlane {
  readonly version: string;
  readonly url: string;
  readonly kubeconfig: string;
  readonly kubeconfigText: string;
  readonly operatorKubeconfig: string;
  readonly caCertificate: string;
  readonly credentials: { readonly certificate: string; readonly key: string };
  readonly folder: string;
  readonly logs: ControlPlane['logs'];
  readonly auditLog: string | undefined;
  readonly webhooks: ControlPlane['webhooks'];
  readonly ended: Promise<string>;
  readonly #parts: ControlPlaneParts;
  #kubeconfigs = 0;
  #stopped = false;

  constructor(parts: ControlPlaneParts) {
    this.#parts = parts;
    this.version = parts.version;
    this.url = parts.endpoint.url;
    this.kubeconfig = parts.adminKubeconfig.path;
    this.kubeconfigText = parts.adminKubeconfig.text;
    this.operatorKubeconfig = parts.operatorKubeconfig ?? parts.adminKubeconfig.path;
    this.caCertificate = parts.endpoint.caCertificate;
    this.credentials = parts.endpoint.credentials;
    this.folder = parts.folder;
    this.auditLog = parts.auditLog;
    this.webhooks = parts.webhooks?.serving;
    this.ended = parts.ending.ended;
    this.logs = {
      etcd: logFile(parts.folder, 'etcd'),
      'kube-apiserver': logFile(parts.folder, 'kube-apiserver'),
      'kube-controller-manager': logFile(
        parts.controllerManagerFolder ?? parts.folder,
        'kube-controller-manager',
      ),
    };
  }

  get workloads(): TestNodes {
    const { nodes } = this.#parts;
    if (nodes !== undefined) return nodes.workloads;
    throw new OpSdkError({
      code: 'testenv/no-nodes',
      message: 'the control plane was started without nodes',
      fix: ['startControlPlane({ nodes: 1 })'],
    });
  }

  async userKubeconfig(name: string, groups: readonly string[] = []): Promise<KubeconfigFile> {
    this.#assertNotStopped();
    const credentials = this.#parts.pki.authority.issue({
      commonName: name,
      organizations: groups,
      usage: 'client',
    });
    return this.#writeKubeconfig(kubeconfigText(this.#parts.endpoint, { name, credentials }));
  }

  async serviceAccountKubeconfig(
    namespace: string,
    name: string,
    options: { readonly expirationSeconds?: number } = {},
  ): Promise<KubeconfigFile> {
    this.#assertRunning();
    const token = await requestToken(
      this.#parts.endpoint,
      namespace,
      name,
      options.expirationSeconds ?? 86_400,
    );
    const user = { name: `system:serviceaccount:${namespace}:${name}`, credentials: { token }, namespace };
    return this.#writeKubeconfig(kubeconfigText(this.#parts.endpoint, user));
  }

  async installCrds(paths: readonly string[]): Promise<void> {
    this.#assertRunning();
    const { endpoint, webhooks, beforeCrds } = this.#parts;
    const crds = await readCrdFiles(paths);
    await beforeCrds?.(crds);
    await applyCrds(endpoint, crds, webhooks?.server);
  }

  async readAuditEvents(): Promise<readonly AuditEvent[]> {
    this.#assertNotStopped();
    if (this.auditLog === undefined) {
      throw new OpSdkError({
        code: 'testenv/audit-off',
        message: 'the control plane was started without an audit log',
        fix: ['startControlPlane({ audit: true })'],
      });
    }
    return readAuditLog(this.auditLog);
  }

  async killApiServer(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    this.#assertRunning();
    await this.#parts.apiServer.signal(signal);
  }

  async restartApiServer(): Promise<void> {
    this.#assertNotStopped();
    await this.#parts.apiServer.restart();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#parts.serviceAccounts?.stop();
    this.#parts.ending.expectAll();
    await this.#parts.nodes?.stop();
    await this.#parts.guardian.stop();
  }

  /** Describes this control plane for another process that joins it. The result contains the private key of the certificate authority. */
  shared(
    more: Pick<SharedControlPlane, 'operatorKubeconfig' | 'controllerManager' | 'nodeTurns'>,
  ): SharedControlPlane {
    const { version, endpoint, adminKubeconfig, folder, auditLog, pki } = this.#parts;
    const { url, caCertificate, credentials } = endpoint;
    const authority = { certificate: pki.authority.certificate, key: pki.authority.key };
    const { ca, serviceAccountKey } = pki.files;
    return {
      version,
      url,
      caCertificate,
      credentials,
      adminKubeconfig,
      folder,
      auditLog,
      authority,
      files: { ca, serviceAccountKey },
      ...more,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #writeKubeconfig(text: string): Promise<KubeconfigFile> {
    const path = join(this.#parts.kubeconfigFolder ?? this.folder, `user-${++this.#kubeconfigs}.kubeconfig`);
    await writeFile(path, text, { mode: 0o600 });
    return { path, text };
  }

  #assertNotStopped(): void {
    if (!this.#stopped) return;
    throw new OpSdkError({ code: 'testenv/not-running', message: 'the control plane was stopped' });
  }

  #assertRunning(): void {
    this.#assertNotStopped();
    if (this.#parts.apiServer.isRunning) return;
    throw new OpSdkError({
      code: 'testenv/not-running',
      message: 'the API server does not run',
      fix: ['call restartApiServer() first'],
    });
  }
}

/** Requests a token for a ServiceAccount with the TokenRequest API, as a kubelet does for a Pod. */
async function requestToken(
  endpoint: ApiEndpoint,
  namespace: string,
  name: string,
  expirationSeconds: number,
): Promise<string> {
  const response = await apiRequest(endpoint, {
    method: 'POST',
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds } },
  });
  if (response.status !== 201) {
    throw new OpSdkError({
      code: 'testenv/request-refused',
      message: `no token for the ServiceAccount: ${(response.json() as { message?: string }).message ?? response.text}`,
      where: { object: `ServiceAccount ${namespace}/${name}` },
      fix: response.status === 404 ? [`create the ServiceAccount first`] : [],
    });
  }
  return (response.json() as { status: { token: string } }).status.token;
}
