import { X509Certificate } from 'node:crypto';
import {
  certificateAuthority,
  ownedBy,
  type ApplyObject,
  type CertificateRequest,
  type ReconcileContext,
  type Stored,
} from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
import type { EtcdCluster } from '../api/etcd/v1beta2/etcd-cluster.ts';
import { clientServiceName, labelsOf } from '../cluster/names.ts';
import { secretNamesOf, type SecretNames } from './cluster-tls.ts';

const hour = 3_600_000;
const day = 24 * hour;
/** The authority outlives its cluster: members would not trust each other while it changes. */
const authorityDays = 50 * 365;
/** Certificates begin this long ago, in milliseconds: the clocks of nodes differ. */
const skew = hour;

export type SecretData = Readonly<Record<string, string>>;

/** Name under which an authority signs. */
const authorityName = ({ metadata }: EtcdCluster): string => `${metadata.name} etcd`.slice(0, 64);

/** Returns what the certificates of a cluster say, by their use. */
function requestsOf(cluster: EtcdCluster): Readonly<Record<keyof SecretNames, CertificateRequest>> {
  const { name = '', namespace = '' } = cluster.metadata;
  const service = clientServiceName(cluster);
  // etcd looks up the address of a peer, and finds the whole name.
  const members = [`*.${name}.${namespace}.svc`, `*.${name}.${namespace}.svc.cluster.local`];
  const clients = [
    ...[service, `${service}.${namespace}`, `${service}.${namespace}.svc`],
    ...[`${service}.${namespace}.svc.cluster.local`, 'localhost'],
  ];
  // Members are clients of each other, and etcd's gateway of its own member.
  const usage = ['server', 'client'] as const;
  return {
    peer: { commonName: 'peer', usage, dnsNames: members },
    server: { commonName: 'server', usage, dnsNames: [...members, ...clients] },
    client: { commonName: 'client', usage: 'client' },
  };
}

/** Creates the authority of a cluster. @param now current time, in milliseconds */
export async function newAuthority(cluster: EtcdCluster, now: number): Promise<SecretData> {
  const validity = { from: now - skew, until: now + authorityDays * day };
  const { certificate, key } = await certificateAuthority(authorityName(cluster), { validity });
  return { 'ca.crt': certificate, 'tls.crt': certificate, 'tls.key': key };
}

/**
 * Signs a certificate of a cluster.
 *
 * @param authority data of the authority's Secret
 * @param now current time, in milliseconds
 */
export async function newCertificate(
  cluster: EtcdCluster,
  use: keyof SecretNames,
  authority: SecretData,
  now: number,
): Promise<SecretData> {
  const { 'tls.crt': certificate = '', 'tls.key': key = '' } = authority;
  const days = cluster.spec.TLS?.selfSigned?.validityDays ?? 365;
  const signer = await certificateAuthority(authorityName(cluster), { pair: { certificate, key } });
  const issued = signer.issue({
    ...requestsOf(cluster)[use],
    validity: { from: now - skew, until: now + days * day },
  });
  return { 'ca.crt': certificate, 'tls.crt': issued.certificate, 'tls.key': issued.key };
}

/** Returns true if a certificate is missing, unreadable, signed by another authority, or older than two thirds of its time. */
export function isDue(data: SecretData, authority: SecretData, now: number): boolean {
  try {
    const certificate = new X509Certificate(data['tls.crt'] ?? '');
    const issuer = new X509Certificate(authority['tls.crt'] ?? '');
    if ((data['tls.key'] ?? '') === '' || data['ca.crt'] !== authority['tls.crt']) return true;
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) return true;
    return isOld(data, now);
  } catch {
    return true;
  }
}

/** Returns true if a certificate is unreadable, or older than two thirds of its time. */
function isOld(data: SecretData, now: number): boolean {
  try {
    const { validFrom, validTo } = new X509Certificate(data['tls.crt'] ?? '');
    const [from, until] = [Date.parse(validFrom), Date.parse(validTo)];
    return now >= from + ((until - from) * 2) / 3;
  } catch {
    return true;
  }
}

/**
 * Brings the Secrets of a cluster with `selfSigned` up to date: the authority once, and certificates before they expire. Does nothing for
 * other clusters.
 *
 * An authority that somebody has deleted is not replaced by itself: etcd reads certificates again while it runs, but not whom it trusts, so
 * that all members would refuse each other at once. Certificates stay valid without it.
 *
 * @throws Error if the authority is missing and a certificate is due
 */
export async function ensureCertificates(
  cluster: Stored<EtcdCluster>,
  { client, key: { name, namespace }, now, events }: ReconcileContext,
): Promise<void> {
  const names = secretNamesOf(cluster);
  if (cluster.spec.TLS?.selfSigned === undefined || names === undefined) return;
  const find = (secret: string) => client.live.find(Secret, { name: secret, namespace });
  const authorityName = `${name}-ca-tls`;
  const uses = ['peer', 'server', 'client'] as const;
  const present = new Map(await Promise.all(uses.map(async (use) => [use, await find(names[use])] as const)));
  let authority = await find(authorityName);
  if (authority === undefined) {
    const issued = uses
      .map((use) => textsOf(present.get(use)))
      .filter((data) => data['tls.crt'] !== undefined);
    if (issued.length > 0) {
      const message = `Secret ${authorityName} is missing: restore it from a copy. To begin with a new authority, delete ${uses.map((use) => names[use]).join(', ')} too; the cluster is down until all members have restarted`;
      if (issued.length < uses.length || issued.some((data) => isOld(data, now()))) throw new Error(message);
      events.warning('AuthorityMissing', message);
      return;
    }
    const data = await newAuthority(cluster, now());
    authority = await client.create(Secret, desiredSecret(cluster, authorityName, data));
  }
  for (const use of uses) {
    if (!isDue(textsOf(present.get(use)), textsOf(authority), now())) continue;
    const data = await newCertificate(cluster, use, textsOf(authority), now());
    await client.apply(Secret, desiredSecret(cluster, names[use], data));
    events.normal('CertificateIssued', `Secret ${names[use]}`);
  }
}

function desiredSecret(cluster: EtcdCluster, name: string, texts: SecretData) {
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  return {
    metadata: { name, labels: labelsOf(cluster), ...ownedBy(cluster) },
    type: 'kubernetes.io/tls',
    data,
  } satisfies ApplyObject<Secret>;
}

/** Returns the data of a Secret as text. */
export function textsOf(secret: Secret | undefined): SecretData {
  return Object.fromEntries(
    Object.entries(secret?.data ?? {}).map(([key, text]) => [
      key,
      Buffer.from(text, 'base64').toString('utf8'),
    ]),
  );
}
