import { renewedSecret, SharedWait, type SharedRun } from '../../net/index.ts';
import type { HeaderValues, TlsMaterial } from '../transport/transport.ts';
import type { Credentials } from './cluster.ts';

/** Credentials from a plugin or an identity provider. */
export interface GivenCredentials {
  readonly token?: string;
  /** Client certificate in PEM; set together with `key`. */
  readonly cert?: string;
  readonly key?: string;
  /** Time of expiry in milliseconds since 1970. If absent, the credentials are valid until the server rejects them. */
  readonly expires?: number;
}

/** A credential plugin or an identity provider. */
export interface CredentialSource {
  /** Name of the source in logs and probes, such as `credential plugin aws of user jane`. */
  readonly subject: string;
  /** Returns the time limit for obtaining credentials, in milliseconds; undefined while the source may ask the user questions. */
  limit(): number | undefined;
  /** Returns the error for a run of the source that exceeded the time limit. */
  late(limit: number): Error;
  /** Obtains credentials from the source. @throws OpSdkError `kube/credentials-failed` */
  ask(run: SharedRun): Promise<GivenCredentials>;
}

interface PluginCredentials {
  readonly credentials: Credentials;
  certificate(signal?: AbortSignal): Promise<Pick<TlsMaterial, 'cert' | 'key'>>;
}

/**
 * Creates credentials that are obtained from a source at first use, after expiry, and after a 401. Concurrent requests share one run of the
 * source.
 *
 * @param now returns the current time in milliseconds since 1970
 */
export function pluginCredentials(
  source: CredentialSource,
  now: () => number = () => Date.now(),
): PluginCredentials {
  let known: GivenCredentials | undefined;
  let from: GivenCredentials | undefined;
  let headers: HeaderValues = {};
  const hideToken = renewedSecret();
  const hideKey = renewedSecret();
  const asking = new SharedWait<GivenCredentials>({
    subject: source.subject,
    limit: () => source.limit(),
    late: (limit) => source.late(limit),
    async work(run) {
      const answer = await source.ask(run);
      if (answer.token !== undefined) hideToken(answer.token);
      if (answer.key !== undefined) hideKey(answer.key);
      known = answer;
      return answer;
    },
  });
  const current = (): GivenCredentials | undefined =>
    known !== undefined && (known.expires === undefined || known.expires > now()) ? known : undefined;
  const headersOf = (given: GivenCredentials): HeaderValues => {
    if (given !== from) headers = given.token === undefined ? {} : { authorization: `Bearer ${given.token}` };
    from = given;
    return headers;
  };
  return {
    credentials: {
      headers(signal) {
        const given = current();
        return given === undefined ? asking.join(signal).then(headersOf) : headersOf(given);
      },
      refresh() {
        // If a renewal is already running, the credentials are kept, because several requests may get a 401 at the same time and share this
        // renewal.
        if (!asking.isRunning) known = undefined;
        return true;
      },
    },
    async certificate(signal) {
      const { cert, key } = current() ?? (await asking.join(signal));
      return { cert, key };
    },
  };
}
