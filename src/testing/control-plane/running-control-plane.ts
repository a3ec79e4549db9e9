import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpSdkError } from '../../errors/index.ts';
import { applyCrds } from '../crds/apply-crds.ts';
import { readCrdFiles } from '../crds/read-crd-files.ts';
import { apiRequest, type ApiEndpoint } from '../http/api-request.ts';
import type { Guardian } from '../../process/guardian.ts';
import type { ApiServer } from './api-server.ts';
import { readAuditLog } from './audit.ts';
import { logFile } from './component.ts';
import type { Ending } from './ending.ts';
import { kubeconfigText } from './kubeconfig.ts';
import type { Pki } from './pki.ts';
import type { AuditEvent, ControlPlane, KubeconfigFile } from './types.ts';

/** The parts that `startControlPlane` has put together. */
export interface ControlPlaneParts {
  readonly version: string;
  readonly endpoint: ApiEndpoint;
  readonly adminKubeconfig: KubeconfigFile;
  readonly folder: string;
  readonly auditLog: string | undefined;
  readonly pki: Pki;
  readonly apiServer: ApiServer;
  readonly guardian: Guardian;
  readonly ending: Ending;
}

/** The control plane as its user holds it. */
export class RunningControlPlane implements ControlPlane {
  readonly version: string;
  readonly url: string;
  readonly kubeconfig: string;
  readonly kubeconfigText: string;
  readonly caCertificate: string;
  readonly credentials: { readonly certificate: string; readonly key: string };
  readonly folder: string;
  readonly logs: ControlPlane['logs'];
  readonly auditLog: string | undefined;
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
    this.caCertificate = parts.endpoint.caCertificate;
    this.credentials = parts.endpoint.credentials;
    this.folder = parts.folder;
    this.auditLog = parts.auditLog;
    this.ended = parts.ending.ended;
    this.logs = {
      etcd: logFile(parts.folder, 'etcd'),
      'kube-apiserver': logFile(parts.folder, 'kube-apiserver'),
      'kube-controller-manager': logFile(parts.folder, 'kube-controller-manager'),
    };
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
    await applyCrds(this.#parts.endpoint, await readCrdFiles(paths));
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
    this.#parts.ending.expectAll();
    await this.#parts.guardian.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #writeKubeconfig(text: string): Promise<KubeconfigFile> {
    const path = join(this.folder, `user-${++this.#kubeconfigs}.kubeconfig`);
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

/** The real TokenRequest: what a kubelet does for a Pod. */
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
