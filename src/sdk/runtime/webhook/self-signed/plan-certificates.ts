import { X509Certificate, createPrivateKey } from 'node:crypto';
import {
  CLOCK_SKEW_MS,
  createCertificateAuthority,
  restoreCertificateAuthority,
  type CertificateAuthority,
  type KeyPair,
  type Validity,
} from '../../../x509/certificate-authority.ts';
import type { Resource } from '../../../api/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../../k8s/generated/admissionregistration/v1.ts';
import { CustomResourceDefinition } from '../../../k8s/generated/apiextensions/v1.ts';
import type { Lifetimes, SelfSignedSettings } from './settings.ts';

export interface PlanInput {
  /** Certificates that the replicas currently share; undefined if they do not exist, or cannot be used. */
  readonly found: WebhookCertificates | undefined;
  /**
   * Time since which every configuration and CRD trusts all authorities of `found`, in milliseconds since the epoch; undefined if at least
   * one object does not trust them.
   */
  readonly trustedSince: number | undefined;
  readonly settings: Pick<SelfSignedSettings, 'namespace' | 'service'>;
  readonly lifetimes: Lifetimes;
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
}

/** One step of a change of the certificates, and the reason for the step. */
interface CertificateStep {
  readonly certificates: WebhookCertificates;
  readonly reason: string;
}

/**
 * Returns the next step of a change of the certificates, if one is due. A new authority is introduced in three steps, so that a server
 * never presents a certificate that a client does not trust. First, clients trust the new authority in addition to the old one; second, the
 * new authority signs; third, the old authority is removed. Pure: every replica determines the same step from the same Secret, and the
 * first replica that writes the step wins.
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

/** Returns the host names with which the API server may call a Service. */
export function serverNames({ service, namespace }: PlanInput['settings']): readonly string[] {
  const name = `${service}.${namespace}.svc`;
  return [name, `${name}.cluster.local`, `${service}.${namespace}`, service];
}

function fresh(input: PlanInput): WebhookCertificates {
  const authority = newAuthority(input);
  return { authority, server: issue(restore(authority), validityOf(authority.certificate), input) };
}

function newAuthority({ settings, lifetimes, now }: PlanInput): KeyPair {
  // The name of each authority is unique, so that software that selects authorities by name does not confuse an old with a new one.
  const name = `${settings.service}.${settings.namespace} ${new Date(now).toISOString()}`;
  const { certificate, key } = createCertificateAuthority(name, spanFrom(now, lifetimes.authority));
  return { certificate, key };
}

function restore(pair: KeyPair): CertificateAuthority {
  const name = /^CN=(.*)$/m.exec(new X509Certificate(pair.certificate).subject)?.[1] ?? '';
  return restoreCertificateAuthority(name, pair);
}

/**
 * Issues a certificate that expires no later than its authority, because clients do not trust a certificate whose authority has expired.
 */
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

/** Returns true if two thirds of the lifetime of a certificate have passed, so that its renewal is due. */
function isDue(times: Validity, now: number): boolean {
  const issued = issuedAt(times);
  return now >= issued + ((times.until - issued) * 2) / 3;
}

/** Returns true if a server's certificate is valid for the operator's Service. */
export function isFor({ certificate }: KeyPair, settings: PlanInput['settings']): boolean {
  const parsed = new X509Certificate(certificate);
  return serverNames(settings).every((name) => parsed.checkHost(name) !== undefined);
}

/** The certificates of an operator's webhooks, shared by all replicas. */
export interface WebhookCertificates {
  /** Certificate and key that the server presents. */
  readonly server: KeyPair;
  /** The authority that has signed the server's certificate. */
  readonly authority: KeyPair;
  /** The authority that will sign the next server certificate; all clients must trust this authority before it signs. */
  readonly next?: KeyPair | undefined;
  /** The certificate of the previous authority. It is trusted until every replica presents a server certificate of the new authority. */
  readonly former?: string | undefined;
}

/** Names of the entries in the Secret. Other tools use `tls.crt`, `tls.key` and `ca.crt`, too. */
const keys = {
  serverCertificate: 'tls.crt',
  serverKey: 'tls.key',
  trusted: 'ca.crt',
  authorityCertificate: 'authority.crt',
  authorityKey: 'authority.key',
  nextCertificate: 'next-authority.crt',
  nextKey: 'next-authority.key',
  formerCertificate: 'former-authority.crt',
} as const;

/** Values of a Secret in base64, by their keys in `data`. */
type SecretData = Readonly<Record<string, string>>;

/** Returns the certificates of all authorities that clients have to trust, in PEM format. */
export function trustedBy({ authority, next, former }: WebhookCertificates): string {
  return [authority.certificate, next?.certificate, former].filter((pem) => pem !== undefined).join('');
}

/** Converts certificates to the data of the Secret. */
export function toSecretData(certificates: WebhookCertificates): Record<string, string> {
  const { server, authority, next, former } = certificates;
  const texts: Record<string, string | undefined> = {
    [keys.serverCertificate]: server.certificate,
    [keys.serverKey]: server.key,
    [keys.trusted]: trustedBy(certificates),
    [keys.authorityCertificate]: authority.certificate,
    [keys.authorityKey]: authority.key,
    [keys.nextCertificate]: next?.certificate,
    [keys.nextKey]: next?.key,
    [keys.formerCertificate]: former,
  };
  const given = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given.map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}

/**
 * Reads the certificates from the data of the Secret.
 *
 * @returns the certificates; or the problem, for the log, if they cannot be used, for example after a manual change of the Secret
 */
export function fromSecretData(data: SecretData): WebhookCertificates | { readonly problem: string } {
  const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('utf8');
  const pair = (certificate: string, key: string): KeyPair => ({
    certificate: text(certificate),
    key: text(key),
  });
  const server = pair(keys.serverCertificate, keys.serverKey);
  const authority = pair(keys.authorityCertificate, keys.authorityKey);
  const next =
    data[keys.nextCertificate] === undefined ? undefined : pair(keys.nextCertificate, keys.nextKey);
  const former = data[keys.formerCertificate] === undefined ? undefined : text(keys.formerCertificate);
  try {
    for (const { certificate, key } of [server, authority, ...(next === undefined ? [] : [next])]) {
      if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)))
        return { problem: 'a key does not belong to its certificate' };
    }
    if (former !== undefined) new X509Certificate(former);
    if (!new X509Certificate(server.certificate).verify(new X509Certificate(authority.certificate).publicKey))
      return { problem: 'the certificate of the server is not signed by the authority' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  return { server, authority, next, former };
}

/** An object from which the API server reads the authorities that it has to trust. */
export interface TrustTarget {
  readonly resource: Resource;
  readonly name: string;
}

/** A stored object of any of the three kinds that can refer to the operator's Service. */
export type Trusting =
  MutatingWebhookConfiguration | ValidatingWebhookConfiguration | CustomResourceDefinition;

/**
 * Returns the part of an object that determines which authorities it trusts. CustomResourceDefinitions are large, so only this part is kept
 * in memory.
 */
export function trustPart(object: Trusting): Trusting {
  if (object.kind !== 'CustomResourceDefinition') return object;
  const { apiVersion, kind, metadata, spec } = object;
  return { apiVersion, kind, metadata, spec: { conversion: spec.conversion } } as CustomResourceDefinition;
}

/**
 * Returns the objects that have to trust the authorities of the operator: its webhook configurations, and the CustomResourceDefinitions
 * whose conversions it serves.
 */
export function trustTargets(settings: SelfSignedSettings, definitions: readonly string[]): TrustTarget[] {
  const { mutating, validating } = settings;
  return [
    ...(mutating === undefined ? [] : [{ resource: MutatingWebhookConfiguration, name: mutating }]),
    ...(validating === undefined ? [] : [{ resource: ValidatingWebhookConfiguration, name: validating }]),
    ...definitions.map((name) => ({ resource: CustomResourceDefinition, name })),
  ];
}

/**
 * Returns true if an object trusts an authority (PEM): each of its client configurations for the operator's Service contains the authority.
 */
export function trusts(object: Trusting, authority: string, settings: SelfSignedSettings): boolean {
  return questionsOf(object, settings).every(({ clientConfig: { caBundle = '' } }) =>
    Buffer.from(caBundle, 'base64').toString('utf8').includes(authority),
  );
}

/** A client configuration for the operator's Service, with the name of its webhook. The name is missing in a CustomResourceDefinition. */
interface Question {
  readonly name?: string;
  readonly clientConfig: ClientConfig;
}

/**
 * Returns the client configurations of an object that refer to the operator's Service. Excludes others, such as a configuration that
 * `op-sdk run` has redirected to a developer's machine.
 */
function questionsOf(object: Trusting, { service, namespace }: SelfSignedSettings): readonly Question[] {
  const all: readonly { readonly name?: string; readonly clientConfig?: ClientConfig | undefined }[] =
    object.kind === 'CustomResourceDefinition'
      ? [{ clientConfig: object.spec.conversion?.webhook?.clientConfig }]
      : (object.webhooks ?? []);
  return all.flatMap(({ name, clientConfig }) =>
    clientConfig?.service?.name === service && clientConfig.service.namespace === namespace
      ? [{ ...(name === undefined ? {} : { name }), clientConfig }]
      : [],
  );
}

interface ClientConfig {
  readonly service?: { readonly name: string; readonly namespace: string } | undefined;
  readonly caBundle?: string | undefined;
}

/**
 * Returns the fields to apply so that an object trusts the operator: `caBundle` in each client configuration for the operator's Service.
 *
 * @param bundle certificates of the authorities, in base64
 * @returns undefined if the object already contains the bundle
 */
export function missingTrust(
  object: Trusting,
  bundle: string,
  settings: SelfSignedSettings,
): object | undefined {
  const questions = questionsOf(object, settings);
  if (questions.every(({ clientConfig }) => clientConfig.caBundle === bundle)) return undefined;
  const { name } = object.metadata;
  const clientConfig = { caBundle: bundle };
  if (object.kind === 'CustomResourceDefinition')
    return { metadata: { name }, spec: { conversion: { webhook: { clientConfig } } } };
  // The applied object contains all of these webhooks, because server-side apply would remove omitted ones.
  return { metadata: { name }, webhooks: questions.map((webhook) => ({ name: webhook.name, clientConfig })) };
}
