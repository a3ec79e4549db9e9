import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { OpSdkError } from '../../../base/errors/index.ts';
import { secrets } from '../../net/index.ts';
import type { HeaderValues } from '../transport/transport.ts';
import { isEntry, type NamedEntry } from './kubeconfig-file.ts';
import type { CredentialSource, GivenCredentials } from './plugin-credentials.ts';

/**
 * Milliseconds after which client-node is queried again, because client-node does not report when its tokens expire. Token files are read
 * again at the same interval. Frequent queries are cheap, because client-node answers from its cache.
 */
const askAgainAfter = 60_000;
/** Maximum time in milliseconds that client-node may take to return credentials. */
const askLimit = 60_000;

/**
 * Creates a credential source for a user with an identity provider (`auth-provider`: OIDC). The source is based on client-node, which
 * queries the provider and caches its tokens. This module is loaded only for such users, because client-node is large.
 * @param now returns the current time in milliseconds since 1970
 */
export function authProvider(user: NamedEntry, now: () => number = () => Date.now()): CredentialSource {
  const fail = (why: string): OpSdkError =>
    new OpSdkError({
      code: 'kube/credentials-failed',
      message: `the auth-provider of user ${user.name} ${why}`,
      where: { file: user.file },
      fix: ['log in again with the tool that wrote the kubeconfig'],
    });
  const ask = async (): Promise<GivenCredentials> => {
    const options: RequestOptions = { headers: {} };
    try {
      // A new KubeConfig has an empty cache, so that another token is requested after a 401.
      await kubeConfig(user).applyToHTTPSOptions(options);
    } catch (error) {
      // The error has no `cause`, because the cause may contain parts of the exchange with the identity provider whose secrets are not
      // redacted.
      throw fail(`failed: ${secrets.redact((error as Error).message)}`);
    }
    const authorization = (options.headers as HeaderValues | undefined)?.['Authorization'];
    if (typeof authorization !== 'string' || !authorization.startsWith('Bearer '))
      throw fail('gave no token: the id-token is missing or has expired, and cannot be renewed');
    return { token: authorization.slice('Bearer '.length), expires: now() + askAgainAfter };
  };
  return {
    subject: `auth-provider of user ${user.name}`,
    limit: () => askLimit,
    late: (limit) => fail(`did not answer within ${limit / 1000} s`),
    ask,
  };
}

function kubeConfig(user: NamedEntry): KubeConfig {
  const config = new KubeConfig();
  const provider = user.value['auth-provider'];
  config.loadFromOptions({
    // The URL of the server is not used, because only the header is taken from the result.
    clusters: [{ name: 'cluster', server: 'https://unused.invalid' }],
    contexts: [{ name: 'context', cluster: 'cluster', user: user.name }],
    currentContext: 'context',
    users: [{ name: user.name, authProvider: isEntry(provider) ? provider : undefined }],
  });
  return config;
}
