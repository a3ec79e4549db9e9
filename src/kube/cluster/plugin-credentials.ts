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

/**
 * Users whose credentials come from a program (`exec`) or an identity provider (`auth-provider`, OIDC).
 * client-node runs them and caches what they give until it expires. It is large: this module is loaded only for such users.
 */
export function pluginCredentials(user: NamedEntry): PluginCredentials {
  let config = kubeConfig(user);
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
  return {
    credentials: {
      async headers() {
        const { headers } = await ask();
        const authorization = (headers as HeaderValues | undefined)?.['Authorization'];
        return authorization === undefined ? {} : { authorization };
      },
      refresh() {
        // A new KubeConfig has an empty cache.
        config = kubeConfig(user);
        return true;
      },
    },
    async certificate() {
      const { cert, key } = await ask();
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
