import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isFor,
  planCertificates,
  serverNames,
  type PlanInput,
  fromSecretData,
  toSecretData,
  trustedBy,
  type WebhookCertificates,
} from '../../../../../../src/sdk/runtime/webhook/self-signed/plan-certificates.ts';
import {
  defaultLifetimes,
  lookEvery,
} from '../../../../../../src/sdk/runtime/webhook/self-signed/settings.ts';

const minute = 60_000;
const day = 1440 * minute;
const settings = { namespace: 'demo-system', service: 'demo-webhook-service' };
const lifetimes = { authority: 365 * day, certificate: 90 * day, settle: 5 * minute };
const start = Date.parse('2026-01-01T00:00:00Z');

const input = (values: Partial<PlanInput>): PlanInput => ({
  ...{ found: undefined, trustedSince: 0, settings, lifetimes, now: start },
  ...values,
});
const made = (now = start): WebhookCertificates => {
  const step = planCertificates(input({ now }));
  if (step === undefined) throw new Error('expected a step');
  return step.certificates;
};
/** Whether a client with this bundle believes this server. */
const believes = (bundle: string, server: string): boolean => {
  const authorities = bundle.split(/(?<=-----END CERTIFICATE-----\n)/).filter((pem) => pem !== '');
  const certificate = new X509Certificate(server);
  return authorities.some((pem) => certificate.verify(new X509Certificate(pem).publicKey));
};

test('the first certificate is for every name of the Service, and signed by its authority', () => {
  const certificates = made();
  const server = new X509Certificate(certificates.server.certificate);
  expect(serverNames(settings)[0]).toBe('demo-webhook-service.demo-system.svc');
  for (const name of serverNames(settings)) expect(server.checkHost(name)).toBeDefined();
  expect(server.checkHost('demo-webhook-service.other.svc')).toBeUndefined();
  expect(believes(trustedBy(certificates), certificates.server.certificate)).toBe(true);
  expect(certificates.next ?? certificates.former).toBeUndefined();
});

test('nothing is due until a third of the lifetime is left', () => {
  const found = made();
  expect(planCertificates(input({ found, now: start + 59 * day }))).toBeUndefined();
  const step = planCertificates(input({ found, now: start + 60 * day }));
  expect(step?.reason).toBe('it expires');
  expect(step?.certificates.authority).toEqual(found.authority);
  expect(step?.certificates.server).not.toEqual(found.server);
});

test('the time to settle counts from when everybody trusts the next authority, and does not keep the server from a new certificate', () => {
  let found = made();
  for (let days = 60; days <= 240; days += 60)
    found = planCertificates(input({ found, now: start + days * day }))?.certificates ?? found;
  const due = start + 244 * day;
  const waiting = planCertificates(input({ found, now: due }))?.certificates;
  const late = due + 10 * day;
  expect(planCertificates(input({ found: waiting, now: late, trustedSince: late - 1000 }))).toBeUndefined();
  const settled = late - lifetimes.settle;
  expect(planCertificates(input({ found: waiting, now: late, trustedSince: settled }))?.reason).toContain(
    'trusted',
  );
  const stuck = planCertificates(input({ found: waiting, now: start + 301 * day, trustedSince: undefined }));
  expect(stuck?.reason).toBe('it expires');
  expect(stuck?.certificates).toMatchObject({ authority: found.authority, next: waiting?.next });
});

test('a certificate is for one Service', () => {
  const { server } = made();
  expect(isFor(server, settings)).toBe(true);
  expect(isFor(server, { ...settings, service: 'renamed' })).toBe(false);
});

test('a new authority is trusted first, then signs, then the old one goes; nothing of it before the time to settle', () => {
  // The certificate of the server was renewed lately, so that only the authority is due.
  let found = made();
  for (let days = 60; days <= 240; days += 60)
    found = planCertificates(input({ found, now: start + days * day }))?.certificates ?? found;
  const due = start + 244 * day;
  const first = planCertificates(input({ found, now: due }));
  expect(first?.reason).toBe('the authority expires');
  const waiting = first?.certificates ?? found;
  expect(waiting).toMatchObject({ server: found.server, authority: found.authority });
  expect(waiting.next).toBeDefined();

  const after = due + lifetimes.settle;
  expect(planCertificates(input({ found: waiting, now: after, trustedSince: undefined }))).toBeUndefined();
  expect(planCertificates(input({ found: waiting, now: after - 1000 }))).toBeUndefined();
  const second = planCertificates(input({ found: waiting, now: after }));
  const changed = second?.certificates ?? found;
  expect(changed.authority).toEqual(waiting.next);
  expect(changed.former).toBe(waiting.authority.certificate);
  expect(believes(trustedBy(changed), waiting.server.certificate)).toBe(true);
  expect(believes(trustedBy(waiting), changed.server.certificate)).toBe(true);
  expect(believes(trustedBy(found), changed.server.certificate)).toBe(false);

  const end = after + lifetimes.settle;
  expect(planCertificates(input({ found: changed, now: end - 1000 }))).toBeUndefined();
  const third = planCertificates(input({ found: changed, now: end }));
  expect(third?.certificates).toEqual({ server: changed.server, authority: changed.authority });
});

test('after the authority has expired, all is new', () => {
  const found = made();
  const step = planCertificates(input({ found, now: start + 366 * day }));
  expect(step?.reason).toBe('the authority has expired');
  expect(step?.certificates.authority).not.toEqual(found.authority);
});

test('for years, each client believes each server, however late either hears of a step within the time to settle', () => {
  const delay = fc.integer({ min: 0, max: lifetimes.settle - 1000 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(delay, delay), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 3 }),
      (delays, hours) => {
        const history: { readonly at: number; readonly certificates: WebhookCertificates }[] = [];
        let found: WebhookCertificates | undefined;
        const seenAt = (time: number): WebhookCertificates | undefined =>
          history.findLast(({ at }) => at <= time)?.certificates;
        for (let now = start; now < start + 800 * day;) {
          const step = planCertificates(input({ found, now }));
          if (step !== undefined) {
            found = step.certificates;
            history.push({ at: now, certificates: found });
          }
          for (const [client, server] of delays) {
            const bundle = seenAt(now - client);
            const shown = seenAt(now - server);
            if (bundle === undefined || shown === undefined) continue;
            expect(believes(trustedBy(bundle), shown.server.certificate)).toBe(true);
          }
          const isChanging = found?.next !== undefined || found?.former !== undefined;
          now += step !== undefined || isChanging ? minute : hours * 60 * minute * 24;
        }
        expect(history.length).toBeGreaterThan(8);
      },
    ),
    { numRuns: 5 },
  );
});

describe('the Secret', () => {
  const found = made();
  const all = { ...found, next: made().authority, former: made().authority.certificate };

  test.each([
    ['as they are most of the time', found],
    ['in the middle of a change', all],
  ])('keeps the certificates %s', (_name, certificates) => {
    expect(fromSecretData(toSecretData(certificates))).toEqual(certificates);
  });

  test.each([
    ['is empty', {}],
    ['lost its key', { ...toSecretData(found), 'tls.key': '' }],
    [
      'has the key of another certificate',
      { ...toSecretData(found), 'tls.key': toSecretData(made())['tls.key'] ?? '' },
    ],
    ['has the certificate of another authority', { ...toSecretData(found), ...pick(toSecretData(made())) }],
    ['has text that is no certificate', { ...toSecretData(found), 'authority.crt': 'aGVsbG8=' }],
  ])('that %s is not used', (_name, data) => {
    expect(fromSecretData(data)).toMatchObject({ problem: expect.any(String) as string });
  });

  function pick(data: Record<string, string>): Record<string, string> {
    return { 'tls.crt': data['tls.crt'] ?? '', 'tls.key': data['tls.key'] ?? '' };
  }
});

test.each([
  ['the default lifetimes', defaultLifetimes, 10_000],
  [
    'certificates of 30 s, renewed when 10 s are left',
    { authority: 90_000, certificate: 30_000, settle: 3000 },
    1000,
  ],
])('the time is looked at often enough for %s', (_title, short, expected) => {
  expect(lookEvery(short)).toBe(expected);
  expect(lookEvery(short)).toBeLessThan(short.certificate / 3);
});
