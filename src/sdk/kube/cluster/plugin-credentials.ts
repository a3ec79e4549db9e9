import { renewedSecret, SharedWait, type SharedRun } from '../../net/index.ts';
import type { HeaderValues, TlsMaterial } from '../transport/transport.ts';
import type { Credentials } from './cluster.ts';

/** Credentials from a plugin or an identity provider. */
export interface GivenCredentials {
  readonly token?: string;
  /** PEM, with `key`. */
  readonly cert?: string;
  readonly key?: string;
  /** Milliseconds since 1970. Absent: good until the server refuses it. */
  readonly expires?: number;
}

/** A credential plugin or an identity provider. */
export interface CredentialSource {
  /** The name in logs and probes: `credential plugin aws of user jane`. */
  readonly subject: string;
  /** Milliseconds; undefined while a person may be asked. */
  limit(): number | undefined;
  /** The error of a run that has passed its limit. */
  late(limit: number): Error;
  /** @throws OpSdkError `kube/credentials-failed` */
  ask(run: SharedRun): Promise<GivenCredentials>;
}

interface PluginCredentials {
  readonly credentials: Credentials;
  certificate(signal?: AbortSignal): Promise<Pick<TlsMaterial, 'cert' | 'key'>>;
}

/**
 * Credentials that are asked for when they are first needed, again when they have expired, and after a 401; once for
 * many requests at a time.
 *
 * @param now milliseconds since 1970
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
        // Others may have been refused at the same time: one answer will do for all.
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
