import { renewedSecret } from '../../net/index.ts';
import type { HeaderValues, TlsMaterial } from '../transport/transport.ts';
import type { Credentials } from './cluster.ts';

/** What a plugin or an identity provider gave. */
export interface GivenCredentials {
  readonly token?: string;
  /** PEM, with `key`. */
  readonly cert?: string;
  readonly key?: string;
  /** Milliseconds since 1970. Absent: good until the server refuses it. */
  readonly expires?: number;
}

interface PluginCredentials {
  readonly credentials: Credentials;
  certificate(): Promise<Pick<TlsMaterial, 'cert' | 'key'>>;
}

/**
 * Credentials that are asked for when they are first needed, again when they have expired, and after a 401; once for
 * many requests at a time.
 *
 * @param ask what gives them; throws `kube/credentials-failed`
 * @param now milliseconds since 1970
 */
export function pluginCredentials(
  ask: () => Promise<GivenCredentials>,
  now: () => number = () => Date.now(),
): PluginCredentials {
  let known: GivenCredentials | undefined;
  let asking: Promise<GivenCredentials> | undefined;
  let from: GivenCredentials | undefined;
  let headers: HeaderValues = {};
  const hideToken = renewedSecret();
  const hideKey = renewedSecret();
  const get = async (): Promise<GivenCredentials> => {
    if (known !== undefined && (known.expires === undefined || known.expires > now())) return known;
    asking ??= ask()
      .then((answer) => {
        if (answer.token !== undefined) hideToken(answer.token);
        if (answer.key !== undefined) hideKey(answer.key);
        known = answer;
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
        const given = await get();
        if (given !== from)
          headers = given.token === undefined ? {} : { authorization: `Bearer ${given.token}` };
        from = given;
        return headers;
      },
      refresh() {
        // Others may have been refused at the same time: one answer will do for all.
        if (asking === undefined) known = undefined;
        return true;
      },
    },
    async certificate() {
      const { cert, key } = await get();
      return { cert, key };
    },
  };
}
