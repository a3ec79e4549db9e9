import { createClient, type KubeClient } from '../sdk/kube/index.ts';

type Connection = KubeClient['connection'];

/**
 * A client that passes over warnings of the API server: for requests about types that op-sdk chooses, such as all that are served, whose
 * deprecation nobody can mend. The client it is made of is closed by its owner.
 */
export function quietClient({ connection, fieldManager }: KubeClient): KubeClient {
  const quiet: Connection = {
    cluster: connection.cluster,
    request: (call) => connection.request({ ...call, ignoreWarnings: true }),
    stream: (call) => connection.stream({ ...call, ignoreWarnings: true }),
    warn: (text) => connection.warn(text),
    close: () => connection.close(),
  };
  return createClient({ connection: quiet, fieldManager });
}
