import { createWire } from '../../sdk/net/wire.ts';
import { WireError } from '../../sdk/net/wire-error.ts';
import { registryOrigins } from './registry-host.ts';

/** Milliseconds for the whole question: people wait for it. */
const patience = 3_000;

export interface AskOptions {
  /** Where proxies are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Milliseconds until the registry counts as silent. Default: 3,000. */
  readonly timeout?: number;
}

/**
 * Finds out if a registry asks for credentials, by its answer to the first one of its API: 401 if so, 200 if it serves everybody.
 * Only asks, sends no credentials, and changes nothing there.
 *
 * @returns undefined if it does not answer in time, or answers something else, or its name cannot be in a URL
 * @throws the signal's reason
 * @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#determining-support
 */
export async function asksForCredentials(
  registry: string,
  options: AskOptions,
): Promise<boolean | undefined> {
  const { env, signal, timeout = patience } = options;
  if (!URL.canParse(`https://${registry}`)) return undefined;
  const limit = AbortSignal.timeout(timeout);
  const wire = createWire({ env, ca: undefined, connectTimeout: timeout, idleTimeout: timeout });
  try {
    for (const origin of registryOrigins(registry, { plainHttp: false, insists: false })) {
      const answer = await wire
        .send({
          method: 'GET',
          url: new URL('/v2/', origin),
          headers: { 'user-agent': 'op-sdk' },
          signal: AbortSignal.any([signal, limit]),
        })
        .catch((error: unknown) => {
          signal.throwIfAborted();
          if (error instanceof WireError || limit.aborted) return undefined;
          throw error;
        });
      answer?.discard();
      if (answer?.status === 401) return true;
      if (answer?.status === 200) return false;
    }
    return undefined;
  } finally {
    wire.close();
  }
}
