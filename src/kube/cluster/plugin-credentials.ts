import type { RequestOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { OpSdkError } from '../../errors/index.ts';
import type { HeaderValues, TlsMaterial } from '../transport/transport.ts';
import type { Credentials } from './cluster.ts';
import type { NamedEntry } from './kubeconfig-file.ts';

interface PluginCredentials {
  readonly credentials: Credentials;
  certificate(): Promise<Pick<TlsMaterial, 'cert' | 'key'>>;
}

/** As for token files: what expires sooner is refused by the server and then asked for again. */
const askAgainAfter = 60_000;

/**
 * Users whose credentials come from a program (`exec`) or an identity provider (`auth-provider`, OIDC).
 * client-node runs them and caches what they give until it expires; what has no end it would ask for at each request, and many
 * requests at once would each start the program. It is large: this module is loaded only for such users.
 *
 * @param now milliseconds of a monotonic clock
 */
export function pluginCredentials(
  user: NamedEntry,
  now: () => number = () => performance.now(),
): PluginCredentials {
  let config = kubeConfig(user);
  let known: { readonly answer: RequestOptions; readonly at: number } | undefined;
  let asking: Promise<RequestOptions> | undefined;
  const ask = async (): Promise<RequestOptions> => {
    const options: RequestOptions = { headers: {} };
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      const message = `the credential plugin of user ${user.name} failed: ${(error as Error).message}`;
      throw new OpSdkError(
        { code: 'kube/credentials-failed', message, where: { file: user.file } },
        { cause: error },
      );
    }
    return options;
  };
  const get = async (): Promise<RequestOptions> => {
    if (known !== undefined && now() - known.at < askAgainAfter) return known.answer;
    asking ??= ask()
      .then((answer) => {
        known = { answer, at: now() };
        return answer;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  return {
    credentials: {
      async headers() {
        const { headers } = await get();
        const authorization = (headers as HeaderValues | undefined)?.['Authorization'];
        return authorization === undefined ? {} : { authorization };
      },
      refresh() {
        // Others may have been refused at the same time: one answer will do for all.
        if (asking !== undefined) return true;
        // A new KubeConfig has an empty cache.
        config = kubeConfig(user);
        known = undefined;
        return true;
      },
    },
    async certificate() {
      const { cert, key } = await get();
      return { cert: pemText(cert), key: pemText(key) };
    },
  };
}

function pemText(value: unknown): string | undefined {
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.toString() : undefined;
}

function kubeConfig(user: NamedEntry): KubeConfig {
  const config = new KubeConfig();
  const { exec, 'auth-provider': authProvider } = user.value;
  const certFile = user.value['client-certificate'];
  const keyFile = user.value['client-key'];
  config.loadFromOptions({
    // The server is not used: only the headers and the certificate are taken.
    clusters: [{ name: 'cluster', server: 'https://unused.invalid' }],
    contexts: [{ name: 'context', cluster: 'cluster', user: user.name }],
    currentContext: 'context',
    users: [
      {
        name: user.name,
        exec,
        authProvider,
        certFile,
        keyFile,
        certData: user.value['client-certificate-data'],
        keyData: user.value['client-key-data'],
        token: user.value['token'],
      },
    ],
  });
  return config;
}
