import { describe, expect, test } from 'vitest';
import { pollCluster } from '../../../src/cluster/clients.ts';
import { OpSdkError } from '../../../src/base/errors/index.ts';
import { ApiError } from '../../../src/sdk/kube/index.ts';
import { TransportError } from '../../../src/sdk/kube/transport/transport-error.ts';

const target = { verb: 'get' };
const answer = (status: number): ApiError => new ApiError(target, status, `HTTP ${status}`);

/** Looks that fail with these errors one after the other and then see something; the lines of progress, and how it ended. */
async function wait(
  failures: readonly Error[],
  timeout = 30_000,
): Promise<{ readonly lines: readonly string[]; readonly seen: unknown; readonly looks: number }> {
  const left = [...failures];
  const lines: string[] = [];
  let looks = 0;
  const look = (): Promise<string | undefined> => {
    looks += 1;
    const failure = left.shift();
    return failure === undefined ? Promise.resolve('seen') : Promise.reject(failure);
  };
  const seen = await pollCluster(look, { timeout, interval: 1, onProgress: (line) => lines.push(line) });
  return { lines, seen, looks };
}

describe('a wait on a cluster', () => {
  test.each([
    ['the connection is refused', new TransportError('kube/unreachable', 'cannot reach it: ECONNREFUSED')],
    ['the connection breaks', new TransportError('kube/connection-lost', 'ECONNRESET')],
    ['the answer is too slow', new TransportError('kube/timeout', 'no answer')],
    ['the server is overloaded', answer(429)],
    ['the server starts or ends', answer(503)],
    ['a load balancer finds no server', answer(502)],
    ['a load balancer waits too long', answer(504)],
  ])('goes on when %s, and says so once', async (_, failure) => {
    const { lines, seen, looks } = await wait([failure, failure]);
    expect([seen, looks]).toEqual(['seen', 3]);
    expect(lines).toEqual([
      `waiting for the API server: ${failure.findings[0].message}`,
      'the API server answers again',
    ]);
  });

  test.each([
    ['a refusal', answer(403)],
    ['an object that is missing', answer(404)],
    ['a certificate that is not trusted', new TransportError('kube/tls', 'no secure connection')],
    ['another finding', new OpSdkError({ code: 'cluster/crd-not-accepted', message: 'no' })],
    ['a defect', new TypeError('defect')],
  ])('ends at once with %s', async (_, failure) => {
    await expect(wait([failure])).rejects.toBe(failure);
  });

  test('ends with the failure of the last look when the time is over', async () => {
    const last = answer(503);
    await expect(wait([answer(429), last], 0)).rejects.toMatchObject({ status: 429 });
    await expect(pollCluster(() => Promise.reject(last), { timeout: 20, interval: 1 })).rejects.toBe(last);
  });

  test('gives undefined where the last look saw nothing', async () => {
    const failures = [answer(503)];
    const look = (): Promise<undefined> => {
      const failure = failures.shift();
      return failure === undefined ? Promise.resolve(undefined) : Promise.reject(failure);
    };
    expect(await pollCluster(look, { timeout: 50, interval: 1 })).toBeUndefined();
  });
});
