import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseHead } from '../transport/transport.ts';
import { retryAfterOf } from './api-error.ts';
import { applyPatch, type Query } from './calls.ts';

interface RepeatedCall {
  readonly method: string;
  readonly contentType?: string | undefined;
  readonly query?: Query | undefined;
}

interface Cancellable {
  cancel(): void;
}

/**
 * Returns true for a status of 2xx, and for 101, with which a server accepts an upgrade. A redirect is not a success, because following it could send the credentials to another host, and a
 * login page is not an answer of the API server.
 */
export function isSuccess({ status }: { readonly status: number }): boolean {
  return status === 101 || (status >= 200 && status < 300);
}

/**
 * Returns true if a request can be sent again although the server may have processed it already. This holds for a read and for a forced
 * apply, because both are idempotent. Returns false for an update, because the repetition would fail with a conflict that looks like a
 * change by somebody else. Also returns false for a create, a delete or another patch. Independently of the result, the transport repeats
 * any request that the server certainly did not receive.
 */
export function isRepeatable({ method, contentType, query }: RepeatedCall): boolean {
  if (method === 'GET') return true;
  return method === 'PATCH' && contentType === applyPatch && String(query?.['force']) === 'true';
}

/** Returns the milliseconds after which an overloaded server wants the request again; undefined if it does not say so. */
export function retryDelay(response: ResponseHead): number | undefined {
  if (response.status !== 429 && response.status !== 503) return undefined;
  return retryAfterOf(response.headers['retry-after']);
}

/** Closes a response that nobody reads. */
export function discard(response: ResponseHead | Cancellable): void {
  if ('cancel' in response) response.cancel();
}

/** @throws the signal's reason */
export async function defaultWait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    // Throws the signal's reason, because the timer's own AbortError would hide the reason.
    if (signal?.aborted === true) throw signal.reason;
    throw error;
  }
}
