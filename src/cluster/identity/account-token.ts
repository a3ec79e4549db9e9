import { OpSdkError } from '../../base/errors/index.ts';
import { ServiceAccount } from '../../sdk/k8s/generated/core/v1.ts';
import { ApiError, isForbidden, isNotFound, type KubeClient } from '../../sdk/kube/index.ts';
import { accountUser, type ServiceAccountName } from './operator-access.ts';

/** Seconds that a token is asked for; the API server grants at least ten minutes, and may grant another time. */
const lifetime = 3_600;

/** A bearer token, and when it ends. */
export interface AccountToken {
  readonly token: string;
  /** Milliseconds until it ends. */
  readonly validFor: number;
}

/**
 * A token of a ServiceAccount, as the kubelet requests it for a Pod.
 * @throws OpSdkError `cluster/no-token`; what a request throws
 */
export async function requestToken(
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
