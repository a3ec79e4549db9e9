// Who may read the metrics, as far as the API server's answers decide it; that it answers so is test/control-plane's concern.
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../../../src/index.ts';
import type { ApiCall, ApiResponse } from '../../../../../src/sdk/kube/client/connection.ts';
import { AccessReviews } from '../../../../../src/sdk/runtime/metrics/secure/serve-secure-metrics.ts';
import { ManualClock } from '../manual-clock.ts';
import { memoryLog } from '../memory-log.ts';

type Status = Readonly<Record<string, unknown>>;

/** Reviews by an API server that answers with these, by the plural of what is created. */
function setUp(
  answers: Readonly<Record<string, (spec: Record<string, unknown>) => Status | Promise<Status>>>,
) {
  const calls: string[] = [];
  const clock = new ManualClock();
  const { log, lines } = memoryLog();
  const closed = new AbortController();
  const request = async ({ path, body }: ApiCall): Promise<ApiResponse> => {
    const plural = path.split('/').at(-1) ?? '';
    const { spec } = body as { spec: Record<string, unknown> };
    calls.push(`${plural} ${JSON.stringify(spec)}`);
    const status = await (answers[plural] ?? expect.unreachable())(spec);
    return { json: () => ({ status }) } as unknown as ApiResponse;
  };
  const reviews = new AccessReviews({ connection: { request }, log, signal: closed.signal, clock });
  const ask = async (authorization: string | undefined, method = 'GET') =>
    (await reviews.refusal(authorization, method, '/metrics'))?.status ?? 200;
  return { reviews, ask, calls, clock, lines, closed };
}

const known = {
  tokenreviews: () => ({ authenticated: true, user: { username: 'prometheus', groups: ['g'] } }),
};
const allowed = { ...known, subjectaccessreviews: () => ({ allowed: true }) };

function forbidden(): Promise<never> {
  return Promise.reject(new ApiError({ verb: 'create' }, 403, 'no'));
}

describe('readers of the metrics', () => {
  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'token'])(
    'with the header %j are unknown, and nobody is asked about them',
    async (header) => {
      const { ask, calls, reviews } = setUp({});
      expect(await ask(header)).toBe(401);
      expect(await reviews.refusal(header, 'GET', '/metrics')).toMatchObject({
        headers: { 'www-authenticate': 'Bearer' },
      });
      expect(calls).toEqual([]);
    },
  );

  test('with a token are reviewed as the user that the API server takes them for', async () => {
    const { ask, calls } = setUp(allowed);
    expect(await ask('bearer  abc')).toBe(200);
    expect(calls).toEqual([
      'tokenreviews {"token":"abc"}',
      'subjectaccessreviews {"user":"prometheus","groups":["g"],"nonResourceAttributes":{"path":"/metrics","verb":"get"}}',
    ]);
    expect(await ask('bearer abc', 'HEAD')).toBe(200);
    expect(calls.at(-1)).toContain('"verb":"head"');
  });

  test('with an unknown token get 401, without the right 403', async () => {
    const stranger = setUp({ tokenreviews: () => ({ authenticated: false, error: 'expired' }) });
    expect(await stranger.ask('Bearer abc')).toBe(401);
    const denied = setUp({ ...known, subjectaccessreviews: () => ({ allowed: false, reason: 'none' }) });
    expect(await denied.ask('Bearer abc')).toBe(403);
    const both = setUp({ ...known, subjectaccessreviews: () => ({ allowed: true, denied: true }) });
    expect(await both.ask('Bearer abc')).toBe(403);
    expect(denied.lines).toMatchObject([{ level: 'debug', user: 'prometheus' }]);
  });

  test('are asked about once in a minute, and once at a time; those that were refused in half a minute', async () => {
    let may = true;
    const { ask, calls, clock } = setUp({ ...known, subjectaccessreviews: () => ({ allowed: may }) });
    expect(await Promise.all([ask('Bearer a'), ask('Bearer a'), ask('Bearer a')])).toEqual([200, 200, 200]);
    expect(calls).toHaveLength(2);
    clock.advance(59_999);
    expect(await ask('Bearer a')).toBe(200);
    expect(calls).toHaveLength(2);
    may = false;
    clock.advance(1);
    expect(await ask('Bearer a')).toBe(403);
    may = true;
    clock.advance(29_999);
    expect(await ask('Bearer a')).toBe(403);
    clock.advance(1);
    expect(await ask('Bearer a')).toBe(200);
  });

  test('with ever new tokens fill no memory and no queue', async () => {
    const { ask, calls } = setUp(allowed);
    expect(await ask('Bearer first')).toBe(200);
    for (let i = 0; i < 256; i++) await ask(`Bearer ${i}`);
    const before = calls.length;
    expect(await ask('Bearer 255')).toBe(200);
    expect(calls).toHaveLength(before);
    expect(await ask('Bearer first')).toBe(200);
    expect(calls).toHaveLength(before + 2);
    const slow = setUp({ tokenreviews: () => new Promise(() => undefined) });
    for (let i = 0; i < 16; i++) void slow.ask(`Bearer ${i}`);
    expect(await slow.ask('Bearer 17')).toBe(503);
    expect(slow.calls).toHaveLength(16);
  });

  test('get 500 while the API server cannot say, which is logged once a minute and asked again', async () => {
    let broken = true;
    const { ask, lines, clock } = setUp({
      ...allowed,
      tokenreviews: () => (broken ? Promise.reject(new Error('away')) : known.tokenreviews()),
    });
    // Whoever comes while the API server is asked gets the same answer.
    expect(await Promise.all([ask('Bearer a'), ask('Bearer a')])).toEqual([500, 500]);
    expect(await ask('Bearer b')).toBe(500);
    expect(lines).toMatchObject([{ level: 'error', error: { message: 'away' } }]);
    clock.advance(60_000);
    expect(await ask('Bearer b')).toBe(500);
    expect(lines).toHaveLength(2);
    broken = false;
    expect(await ask('Bearer b')).toBe(200);
  });

  test('get 500 where the operator may not ask, and the log has the rule that is missing', async () => {
    const { ask, lines } = setUp({ ...known, subjectaccessreviews: forbidden });
    expect(await ask('Bearer a')).toBe(500);
    expect(lines).toMatchObject([
      {
        level: 'error',
        error: {
          findings: [
            {
              code: 'runtime/metrics-reviews-forbidden',
              fix: [
                expect.stringContaining(
                  "{ apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] }",
                ),
                expect.stringContaining('--metrics-secure=false'),
              ],
            },
          ],
        },
      },
    ]);
  });

  test('need an operator that may ask: it says at its start if it may not', async () => {
    const { reviews, lines, calls } = setUp({
      selfsubjectaccessreviews: ({ resourceAttributes }) => ({
        allowed: (resourceAttributes as { resource: string }).resource !== 'tokenreviews',
      }),
    });
    await reviews.checkRights();
    expect(calls).toHaveLength(2);
    expect(lines).toMatchObject([{ error: { findings: [{ code: 'runtime/metrics-reviews-forbidden' }] } }]);
    const away = setUp({ selfsubjectaccessreviews: () => Promise.reject(new Error('away')) });
    await away.reviews.checkRights();
    expect(away.lines).toEqual([]);
  });
});
