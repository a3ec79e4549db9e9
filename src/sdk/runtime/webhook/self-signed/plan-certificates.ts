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
  /** Certificates that the replicas currently share; undefined if there are none, or none that can be used. */
  readonly found: WebhookCertificates | undefined;
  /**
   * Time since which every configuration and CRD trusts all authorities of `found`, in milliseconds since the epoch; undefined if one does
   * not.
   */
  readonly trustedSince: number | undefined;
  readonly settings: Pick<SelfSignedSettings, 'namespace' | 'service'>;
  readonly lifetimes: Lifetimes;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One step of a change, and its reason. */
interface CertificateStep {
  readonly certificates: WebhookCertificates;
  readonly reason: string;
}

/**
 * Returns the next step, if one is due. A new authority is introduced in three steps, so that no server ever presents a certificate that a
 * client does not trust: it is trusted in addition to the old one; then it signs; then the old one is removed. Pure: every replica
 * determines the same step from the same Secret, and the first to write it wins.
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
  // A unique name, so that software that selects authorities by name does not confuse two of them.
  const name = `${settings.service}.${settings.namespace} ${new Date(now).toISOString()}`;
  const { certificate, key } = createCertificateAuthority(name, spanFrom(now, lifetimes.authority));
  return { certificate, key };
}

function restore(pair: KeyPair): CertificateAuthority {
  const name = /^CN=(.*)$/m.exec(new X509Certificate(pair.certificate).subject)?.[1] ?? '';
  return restoreCertificateAuthority(name, pair);
}

/** Issues a certificate that does not outlive its authority, as clients would not trust it afterwards. */
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

/** Returns true if a third of the lifetime is left. */
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
  /** The authority that signed the server's certificate. */
  readonly authority: KeyPair;
  /** The authority that will sign the next one; all clients must trust it before. */
  readonly next?: KeyPair | undefined;
  /** The certificate of the previous authority: trusted until every replica presents a certificate of the new one. */
  readonly former?: string | undefined;
}

/** Keys of the Secret. `tls.crt`, `tls.key` and `ca.crt` are common to other tools. */
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

/** Values in base64 by key, as in a Secret. */
type SecretData = Readonly<Record<string, string>>;

/** Returns all authorities that clients have to trust, PEM. */
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
 * @returns the problem for the log if they cannot be used, such as after a manual change of the Secret
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

/** An object in which the API server reads the authorities that it has to trust. */
export interface TrustTarget {
  readonly resource: Resource;
  readonly name: string;
}

/** A stored object of any of the three kinds. */
export type Trusting =
  MutatingWebhookConfiguration | ValidatingWebhookConfiguration | CustomResourceDefinition;

/** Returns the part of an object that is used here, as CustomResourceDefinitions are large. */
export function trustPart(object: Trusting): Trusting {
  if (object.kind !== 'CustomResourceDefinition') return object;
  const { apiVersion, kind, metadata, spec } = object;
  return { apiVersion, kind, metadata, spec: { conversion: spec.conversion } } as CustomResourceDefinition;
}

/** Returns the objects that have to trust the operator. */
export function trustTargets(settings: SelfSignedSettings, definitions: readonly string[]): TrustTarget[] {
  const { mutating, validating } = settings;
  return [
    ...(mutating === undefined ? [] : [{ resource: MutatingWebhookConfiguration, name: mutating }]),
    ...(validating === undefined ? [] : [{ resource: ValidatingWebhookConfiguration, name: validating }]),
    ...definitions.map((name) => ({ resource: CustomResourceDefinition, name })),
  ];
}

/** Returns true if an object trusts an authority (PEM) in each client configuration for the operator's Service. */
export function trusts(object: Trusting, authority: string, settings: SelfSignedSettings): boolean {
  return questionsOf(object, settings).every(({ clientConfig: { caBundle = '' } }) =>
    Buffer.from(caBundle, 'base64').toString('utf8').includes(authority),
  );
}

/** A client configuration for the operator's Service, with the name of the webhook; a definition has no name. */
interface Question {
  readonly name?: string;
  readonly clientConfig: ClientConfig;
}

/**
 * Returns the client configurations for the operator's Service. Excludes others, such as one that `op-sdk run` has pointed at a developer's
 * machine.
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
 * Returns the fields to apply so that an object trusts the operator: `caBundle` in each client configuration for its Service.
 *
 * @param bundle base64
 * @returns undefined if the object already trusts it
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
  // Contains all webhooks: server-side apply would remove the omitted ones.
  return { metadata: { name }, webhooks: questions.map((webhook) => ({ name: webhook.name, clientConfig })) };
}
