import { checkPlace } from '../client/check-request.ts';
import type { Connection } from '../client/connection.ts';
import { resourcePath } from '../client/calls.ts';
import { toError } from '../../net/index.ts';
import type { CallOptions, ObjectKey } from '../types.ts';
import { podResource } from './pod-resource.ts';

/** Selects a log and its lines. Source: Kubernetes `PodLogOptions`. */
export interface PodLogOptions extends CallOptions {
  /** Name of the container. Default: the only container of the Pod; required if it has several. */
  readonly container?: string | undefined;
  /** True to wait for further lines until the container has ended. Default: false. */
  readonly follow?: boolean | undefined;
  /** True to read the log of the previous run of the container. Default: false. */
  readonly previous?: boolean | undefined;
  /** Number of lines at the end of the log. Default: all lines that the node keeps. */
  readonly tailLines?: number | undefined;
  /** Only lines of the last seconds. Set either this or `since`. */
  readonly sinceSeconds?: number | undefined;
  /** Only lines from this time on, of which the API server drops the fraction of a second. Set either this or `sinceSeconds`. */
  readonly since?: Date | undefined;
  /** True to begin each line with its time in RFC 3339. Default: false. */
  readonly timestamps?: boolean | undefined;
  /** Maximum number of bytes. Default: no limit. */
  readonly limitBytes?: number | undefined;
}

/** Maximum length of a line in UTF-16 units; a longer one is delivered in parts, so that it does not fill the memory. */
const longestLine = 1024 * 1024;

/**
 * Reads the log of a container. Nothing is read from the connection while the caller has lines that it has not asked for.
 * @throws ApiError, TransportError, OpSdkError `kube/invalid-request`, the signal's reason
 */
export async function* podLog(
  connection: Connection,
  pod: ObjectKey,
  {
    container,
    follow,
    previous,
    tailLines,
    sinceSeconds,
    since,
    timestamps,
    limitBytes,
    signal,
  }: PodLogOptions,
): AsyncGenerator<string, void, undefined> {
  checkPlace('read the log of', podResource, pod);
  const { name, namespace } = pod;
  const subresource = 'log';
  const stream = await connection.stream({
    target: { verb: 'get', resource: podResource, subresource, namespace, name },
    method: 'GET',
    path: resourcePath(podResource, { namespace, name, subresource }),
    query: {
      ...{ container, follow, previous, tailLines, sinceSeconds, timestamps, limitBytes },
      sinceTime: since?.toISOString(),
    },
    signal,
  });
  const lines = new LineBuffer();
  let end: { readonly error?: Error } | undefined;
  let wake = (): void => undefined;
  let resume = (): void => undefined;
  const reading = stream
    .read((chunk) => {
      lines.push(chunk);
      wake();
      return lines.isEmpty ? undefined : new Promise<void>((resolve) => (resume = both(resume, resolve)));
    })
    .then(
      () => (end = {}),
      (error: unknown) => (end = { error: toError(error) }),
    )
    .then(() => wake());
  try {
    for (;;) {
      signal?.throwIfAborted();
      const line = lines.shift();
      if (line !== undefined) {
        yield line;
        continue;
      }
      if (end?.error !== undefined) throw end.error;
      if (end !== undefined) break;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const go = resume;
      resume = () => undefined;
      go();
      await woken;
    }
    const rest = lines.rest();
    if (rest !== '') yield rest;
  } finally {
    stream.cancel();
    resume();
    await reading;
  }
}

/** Calls two functions: several chunks may wait for the same reader. */
function both(first: () => void, second: () => void): () => void {
  return () => {
    first();
    second();
  };
}

/** Splits chunks of bytes into lines. */
class LineBuffer {
  readonly #decoder = new TextDecoder();
  #lines: string[] = [];
  #next = 0;
  #rest = '';

  get isEmpty(): boolean {
    return this.#next === this.#lines.length;
  }

  push(chunk: Uint8Array): void {
    const [first = '', ...others] = this.#decoder.decode(chunk, { stream: true }).split('\n');
    const rest = others.pop();
    if (this.isEmpty) {
      this.#lines = [];
      this.#next = 0;
    }
    if (rest === undefined) this.#rest += first;
    else {
      // Lines are pushed individually, because a chunk may have more lines than the maximum number of arguments of a call.
      this.#lines.push(this.#rest + first);
      for (const line of others) this.#lines.push(line);
      this.#rest = rest;
    }
    if (this.#rest.length < longestLine) return;
    this.#lines.push(this.#rest);
    this.#rest = '';
  }

  shift(): string | undefined {
    return this.#lines[this.#next] === undefined ? undefined : this.#lines[this.#next++];
  }

  /** Returns what follows the last line end. */
  rest(): string {
    return this.#rest + this.#decoder.decode();
  }
}
