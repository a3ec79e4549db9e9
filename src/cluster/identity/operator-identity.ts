import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type KubeClient,
  ApiError,
  isForbidden,
  isNotFound,
  createClient,
  loadCluster,
} from '../../sdk/kube/index.ts';
import { toError, poll } from '../../sdk/net/index.ts';
import { guardedFolder, type GuardedFolder } from '../../base/process/guarded-folder.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { ServiceAccount } from '../../sdk/k8s/generated/core/v1.ts';
import { coveredBy, grantsOf, type Permission } from '../../compiler/manifests/index.ts';
import { applyObjects, type ApplyRequest } from '../apply/apply-objects.ts';
import { accountUser, type ServiceAccountName, type OperatorAccess } from './operator-access.ts';

/** Fraction of a token's lifetime after which the token is renewed, the same as in the kubelet. */
const renewAfter = 0.8;

/** Milliseconds after which a failed renewal of the token is retried. */
const retryAfter = 30_000;

interface IdentityOptions {
  /** Client that may request tokens of the ServiceAccount. It must remain open until the identity is closed. */
  readonly client: KubeClient;
  /** Called when the token could not be renewed. The renewal is retried. */
  readonly onProblem: (error: Error) => void;
}

/**
 * The identity under which the operator runs outside the cluster: a kubeconfig with a token of the operator's ServiceAccount. The token is
 * renewed before it expires. It is stored in a separate file, which operators read again once a minute. Only the owner may read the
 * kubeconfig and the token's file. Both are removed by `close`, or when this process is killed.
 */
export class OperatorIdentity {
  /** Path of the kubeconfig; the file does not exist before the first `assume`. */
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

  /** Creates the folder for the identity's files. Call `close` after the last use, which removes the folder. */
  static async open(options: IdentityOptions): Promise<OperatorIdentity> {
    return new OperatorIdentity(options, await guardedFolder('op-sdk-identity-'));
  }

  /**
   * Writes the kubeconfig for a ServiceAccount, which must exist on the cluster.
   * @throws OpSdkError `cluster/no-token`; also the errors of the token request
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

  /** Replaces a file atomically, so that a concurrent reader reads either the old text or the new text. */
  async #write(name: string, text: string): Promise<void> {
    const path = join(this.#folder.path, name);
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /**
   * Returns a kubeconfig as JSON, which is valid YAML. The kubeconfig contains the client's connection settings, but none of the client's
   * credentials.
   */
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

/** Requested lifetime of a token in seconds. The API server grants at least ten minutes, and may grant another lifetime than requested. */
const lifetime = 3_600;

/** A bearer token, and the time for which it is valid. */
interface AccountToken {
  readonly token: string;
  /** Milliseconds until the token expires. */
  readonly validFor: number;
}

/**
 * Requests a token of a ServiceAccount, as the kubelet does for a Pod.
 * @throws OpSdkError `cluster/no-token`; also the errors of the request
 */
async function requestToken(
  client: KubeClient,
  account: ServiceAccountName,
  signal?: AbortSignal,
): Promise<AccountToken> {
  if (client.connection.cluster.server.protocol !== 'https:') {
    const message = `${client.connection.cluster.server.href}: expected an https:// address of the API server; a token is never sent over plain HTTP`;
    throw new OpSdkError({ code: 'cluster/no-token', message, fix: fixes });
  }
  try {
    const { status } = await client.subresource(ServiceAccount, account, 'token').create<TokenRequest>(
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: lifetime },
      },
      { signal },
    );
    const end = Date.parse(status.expirationTimestamp);
    return { token: status.token, validFor: end - Date.now() };
  } catch (error) {
    if (!(error instanceof ApiError) || !(isForbidden(error) || isNotFound(error))) throw error;
    const message = `no token for ${accountUser(account)}: ${error.summary}`;
    const rule =
      "or ask for the rule { apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] }";
    throw new OpSdkError({ code: 'cluster/no-token', message, fix: [...fixes, rule] }, { cause: error });
  }
}

const fixes = ['run the operator as yourself: --no-as-service-account'];

interface TokenRequest {
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

/**
 * Maximum time in milliseconds until the API server applies new roles. It applies them only after it has received them by its own watches.
 */
const grantTimeout = 5_000;

interface BringAccessRequest extends Pick<ApplyRequest, 'client' | 'signal' | 'onOutcome' | 'onWarning'> {
  readonly access: OperatorAccess;
  readonly identity: OperatorIdentity;
}

/**
 * Applies the operator's ServiceAccount with its roles and bindings, and switches the identity to that account. Resolves when the API
 * server grants the permissions of the roles. So if a later request is refused, a permission is missing.
 *
 * @throws OpSdkError with all findings: `cluster/forbidden`, `cluster/no-token`, …
 */
export async function bringAccess(request: BringAccessRequest): Promise<void> {
  const { access, identity, signal } = request;
  await applyObjects({ ...request, objects: access.objects });
  await identity.assume(access.account, signal);
  const cluster = await loadCluster({ kubeconfig: identity.kubeconfig });
  const client = createClient({ cluster, fieldManager: 'op-sdk', onWarning: () => undefined });
  try {
    await poll(() => isGranted(client, access, signal), { timeout: grantTimeout, interval: 50, signal });
  } finally {
    await client.close();
  }
}

/**
 * Returns true if the API server already grants the account its permissions. The SelfSubjectRulesReview that is used may be incomplete if
 * the cluster has other authorizers than RBAC. Source: `authorization.k8s.io/v1` SelfSubjectRulesReview.
 */
async function isGranted(
  client: KubeClient,
  { account, granted }: OperatorAccess,
  signal: AbortSignal | undefined,
): Promise<true | undefined> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    spec: { namespace: account.namespace },
  };
  const { status } = (await client.raw.request({ method: 'POST', path, body, signal })).json<RulesReview>();
  const has: readonly Permission[] = [
    ...grantsOf(status.resourceRules ?? []),
    ...grantsOf(status.nonResourceRules ?? []),
  ];
  const wanted = granted
    .filter(({ namespace }) => namespace === undefined || namespace === account.namespace)
    .flatMap(({ permissions }) => permissions);
  return wanted.every((each) => coveredBy(has, each)) ? true : undefined;
}

interface Rules {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

interface RulesReview {
  readonly status: {
    readonly resourceRules?: readonly Rules[] | null;
    readonly nonResourceRules?: readonly Rules[] | null;
  };
}
