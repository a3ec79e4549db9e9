import { X509Certificate } from 'node:crypto';
import {
  CLOCK_SKEW_MS,
  createCertificateAuthority,
  restoreCertificateAuthority,
  type CertificateAuthority,
  type KeyPair,
  type Validity,
} from '../../../x509/certificate-authority.ts';
import type { WebhookCertificates } from './certificates.ts';
import type { Lifetimes, SelfSignedSettings } from './settings.ts';

export interface PlanInput {
  /** Certificates that the replicas share now; undefined if there are none, or none that can be used. */
  readonly found: WebhookCertificates | undefined;
  /** Since when every configuration and CRD trusts all authorities of `found`, milliseconds since the epoch; undefined: one does not. */
  readonly trustedSince: number | undefined;
  readonly settings: Pick<SelfSignedSettings, 'namespace' | 'service'>;
  readonly lifetimes: Lifetimes;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One step of a change, and why it is taken. */
export interface CertificateStep {
  readonly certificates: WebhookCertificates;
  readonly reason: string;
}

/**
 * The next step, if one is due. A new authority comes in three, so that at no moment a server shows what a client does not trust: it is trusted
 * beside the old one; then it signs; then the old one goes. Pure: every replica comes to the same step from the same Secret, and the
 * first to write it wins.
 */
export function planCertificates(input: PlanInput): CertificateStep | undefined {
  const { found, trustedSince, lifetimes, now } = input;
  if (found === undefined) return { certificates: fresh(input), reason: 'there is none' };
  const { server, authority, next, former } = found;
  const authorityTimes = validityOf(authority.certificate);
  const serverTimes = validityOf(server.certificate);
  const reissued = (): WebhookCertificates => ({
    ...found,
    server: issue(restore(authority), authorityTimes, input),
  });
  if (now >= authorityTimes.until) return { certificates: fresh(input), reason: 'the authority has expired' };
  if (now >= serverTimes.until) return { certificates: reissued(), reason: 'it has expired' };
  const since = (times: Validity): number => now - issuedAt(times);
  if (next !== undefined) {
    const nextTimes = validityOf(next.certificate);
    const settled = trustedSince !== undefined && now - trustedSince >= lifetimes.settle;
    if (!settled || since(nextTimes) < lifetimes.settle)
      return isDue(serverTimes, now) ? { certificates: reissued(), reason: 'it expires' } : undefined;
    const certificates = {
      server: issue(restore(next), nextTimes, input),
      ...{ authority: next, former: authority.certificate },
    };
    return { certificates, reason: 'the next authority is trusted everywhere' };
  }
  if (former !== undefined) {
    if (since(serverTimes) < lifetimes.settle) return undefined;
    return { certificates: { server, authority }, reason: 'no server shows one of the former authority' };
  }
  if (isDue(authorityTimes, now))
    return { certificates: { ...found, next: newAuthority(input) }, reason: 'the authority expires' };
  if (isDue(serverTimes, now)) return { certificates: reissued(), reason: 'it expires' };
  return undefined;
}

/** The names by which the API server may ask for a Service. */
export function serverNames({ service, namespace }: PlanInput['settings']): readonly string[] {
  const name = `${service}.${namespace}.svc`;
  return [name, `${name}.cluster.local`, `${service}.${namespace}`, service];
}

function fresh(input: PlanInput): WebhookCertificates {
  const authority = newAuthority(input);
  return { authority, server: issue(restore(authority), validityOf(authority.certificate), input) };
}

function newAuthority({ settings, lifetimes, now }: PlanInput): KeyPair {
  // A name of its own: what chooses between two authorities by their names must not mistake one for the other.
  const name = `${settings.service}.${settings.namespace} ${new Date(now).toISOString()}`;
  const { certificate, key } = createCertificateAuthority(name, spanFrom(now, lifetimes.authority));
  return { certificate, key };
}

function restore(pair: KeyPair): CertificateAuthority {
  const name = /^CN=(.*)$/m.exec(new X509Certificate(pair.certificate).subject)?.[1] ?? '';
  return restoreCertificateAuthority(name, pair);
}

/** Not longer than its authority: nobody would believe it then. */
function issue(authority: CertificateAuthority, { until }: Validity, input: PlanInput): KeyPair {
  const { settings, lifetimes, now } = input;
  const span = spanFrom(now, lifetimes.certificate);
  const dnsNames = serverNames(settings);
  return authority.issue({
    ...{ commonName: settings.service.slice(0, 64), usage: 'server', dnsNames },
    validity: { from: span.from, until: Math.min(span.until, until) },
  });
}

function spanFrom(now: number, lifetime: number): Validity {
  return { from: now - CLOCK_SKEW_MS, until: now + lifetime };
}

function validityOf(pem: string): Validity {
  const { validFrom, validTo } = new X509Certificate(pem);
  return { from: Date.parse(validFrom), until: Date.parse(validTo) };
}

function issuedAt({ from }: Validity): number {
  return from + CLOCK_SKEW_MS;
}

/** A third of its life is left. */
function isDue(times: Validity, now: number): boolean {
  const issued = issuedAt(times);
  return now >= issued + ((times.until - issued) * 2) / 3;
}

/** Returns true if a server's certificate is for the operator's Service. */
export function isFor({ certificate }: KeyPair, settings: PlanInput['settings']): boolean {
  const parsed = new X509Certificate(certificate);
  return serverNames(settings).every((name) => parsed.checkHost(name) !== undefined);
}
