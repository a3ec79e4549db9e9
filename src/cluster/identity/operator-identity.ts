import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { toError } from '../../sdk/net/index.ts';
import { guardedFolder, type GuardedFolder } from '../../base/process/guarded-folder.ts';
import { requestToken } from './account-token.ts';
import { accountUser, type ServiceAccountName } from './operator-access.ts';

/** The part of a token's life after which it is renewed, as by the kubelet. */
const renewAfter = 0.8;

/** Milliseconds until a renewal that failed is tried again. */
const retryAfter = 30_000;

export interface IdentityOptions {
  /** Client that may request tokens of the account; used until the identity is closed. */
  readonly client: KubeClient;
  /** Called when the token could not be renewed; it is tried again. */
  readonly onProblem: (error: Error) => void;
}

/**
 * The operator's own identity outside the cluster: a kubeconfig with a token of its ServiceAccount, which is renewed in time. The token
 * is in a file of its own, which operators read again once a minute. Both are readable by their owner only, and removed by `close`, or when
 * this process is killed.
 */
export class OperatorIdentity {
  /** The path of the kubeconfig; there is nothing before the first `assume`. */
  readonly kubeconfig: string;
  readonly #folder: GuardedFolder;
  readonly #options: IdentityOptions;
  readonly #closed = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #renewal: Promise<void> = Promise.resolve();

  private constructor(options: IdentityOptions, folder: GuardedFolder) {
    this.#options = options;
    this.#folder = folder;
    this.kubeconfig = join(folder.path, 'kubeconfig');
  }

  /** `close` it in the end. */
  static async open(options: IdentityOptions): Promise<OperatorIdentity> {
    return new OperatorIdentity(options, await guardedFolder('op-sdk-identity-'));
  }

  /**
   * Writes the kubeconfig for an account, which must exist.
   * @throws OpSdkError `cluster/no-token`; what a request throws
   */
  async assume(account: ServiceAccountName, signal?: AbortSignal): Promise<void> {
    clearTimeout(this.#timer);
    await this.#renewal;
    await this.#renew(account, signal);
    await this.#write('kubeconfig', await this.#kubeconfigFor(account));
  }

  async close(): Promise<void> {
    this.#closed.abort();
    clearTimeout(this.#timer);
    await this.#renewal;
    await this.#folder.remove();
  }

  async #renew(account: ServiceAccountName, signal = this.#closed.signal): Promise<void> {
    const { token, validFor } = await requestToken(this.#options.client, account, signal);
    await this.#write('token', token);
    this.#renewIn(account, Math.max(validFor * renewAfter, 1_000));
  }

  #renewIn(account: ServiceAccountName, milliseconds: number): void {
    if (this.#closed.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#renewal = this.#renew(account).catch((error: unknown) => {
        if (this.#closed.signal.aborted) return;
        this.#options.onProblem(toError(error));
        this.#renewIn(account, retryAfter);
      });
    }, milliseconds);
    this.#timer.unref();
  }

  /** Whoever reads it meanwhile gets the old text or the new one. */
  async #write(name: string, text: string): Promise<void> {
    const path = join(this.#folder.path, name);
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /** JSON is YAML. What leads to the server is that of the client; of its credentials nothing is copied. */
  async #kubeconfigFor(account: ServiceAccountName): Promise<string> {
    const { cluster } = this.#options.client.connection;
    const { ca, serverName, insecureSkipVerify } = await cluster.tls();
    const name = 'op-sdk';
    const user = accountUser(account);
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name,
          cluster: {
            server: cluster.server.href,
            ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
            ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
            ...(insecureSkipVerify === true ? { 'insecure-skip-tls-verify': true } : {}),
            ...(cluster.proxy === undefined ? {} : { 'proxy-url': cluster.proxy.href }),
          },
        },
      ],
      users: [{ name: user, user: { tokenFile: join(this.#folder.path, 'token') } }],
      contexts: [{ name, context: { cluster: name, user, namespace: account.namespace } }],
      'current-context': name,
    };
    return `${JSON.stringify(config, null, 2)}\n`;
  }
}
