import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import * as der from './der.ts';

/** A certificate and its private key, both as PEM (the key as PKCS #8). */
export interface KeyPair {
  /** Certificate in PEM. */
  readonly certificate: string;
  /** Private key in PEM, not encrypted. */
  readonly key: string;
}

/** Side of a connection that shows a certificate. */
export type CertificateUsage = 'client' | 'server';

/** Contents of a certificate. */
export interface CertificateRequest {
  /** Common name; in client certificates, the name of the Kubernetes user. */
  readonly commonName: string;
  /** Organizations; in client certificates, the Kubernetes groups of the user. */
  readonly organizations?: readonly string[];
  /** Both for members of a system that are clients of each other. */
  readonly usage: CertificateUsage | readonly CertificateUsage[];
  /** Names of a server. The first label may be `*`. */
  readonly dnsNames?: readonly string[];
  /** Addresses of a server, IPv4 or IPv6. */
  readonly ipAddresses?: readonly string[];
  /** Time span in which the certificate is valid. Default: one year from now. */
  readonly validity?: Validity;
}

/** A time span. Start and end are in milliseconds since 1970; certificates store them in seconds. */
export interface Validity {
  /** First moment, in milliseconds since 1970. */
  readonly from: number;
  /** Last moment, in milliseconds since 1970. */
  readonly until: number;
}

/** A certificate authority, with which certificates of one system are signed. */
export interface CertificateAuthority extends KeyPair {
  /**
   * Creates a key and signs a certificate for it.
   *
   * @throws TypeError if one of `ipAddresses` is invalid
   */
  issue(request: CertificateRequest): KeyPair;
}

const oids = {
  ecPublicKeySha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;

const hour = 3_600_000;
const year = 365 * 24 * hour;

/** Bits of KeyUsage as one byte with the number of unused low bits. Source: RFC 5280, 4.2.1.3. */
const keyUsages = {
  authority: { byte: 0b0000_0110, unusedBits: 1 },
  leaf: { byte: 0b1000_0000, unusedBits: 7 },
} as const;

/**
 * Milliseconds by which the validity of a certificate begins before its creation, to tolerate clock differences (containers, virtual
 * machines after sleep).
 */
export const CLOCK_SKEW_MS = hour;

/** Returns a validity of one year from now. */
function aYear(): Validity {
  const now = Date.now();
  return { from: now - CLOCK_SKEW_MS, until: now + year };
}

/**
 * Creates a self-signed certificate authority with an ECDSA key on the curve P-256. The private key is not encrypted.
 *
 * @param validity time span in which the certificate is valid; default: one year from now
 *
 * @example
 * const authority = createCertificateAuthority('db');
 * const { certificate, key } = authority.issue({ commonName: 'db', usage: 'server', dnsNames: ['db.default.svc'] });
 */
export function createCertificateAuthority(commonName: string, validity?: Validity): CertificateAuthority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = issuerOf(commonName, privateKey, publicKey);
  const extensions = [
    extension(oids.basicConstraints, der.sequence(der.boolean(true)), true),
    keyUsage(keyUsages.authority),
    extension(oids.subjectKeyIdentifier, der.octetString(issuer.keyId)),
  ];
  const certificate = signCertificate(issuer, { subject: issuer.name, publicKey, extensions, validity });
  return {
    certificate,
    key: pem(privateKey),
    issue: (request) => issue(issuer, request),
  };
}

/** Restores an authority from its certificate and key. {@link createCertificateAuthority} must have created it under the same name. */
export function restoreCertificateAuthority(commonName: string, pair: KeyPair): CertificateAuthority {
  const privateKey = createPrivateKey(pair.key);
  const issuer = issuerOf(commonName, privateKey, createPublicKey(privateKey));
  return { ...pair, issue: (request) => issue(issuer, request) };
}

function issuerOf(commonName: string, privateKey: KeyObject, publicKey: KeyObject): Issuer {
  return { name: distinguishedName(commonName, []), keyId: keyIdentifier(publicKey), privateKey };
}

interface Issuer {
  readonly name: der.Der;
  readonly keyId: Buffer;
  readonly privateKey: KeyObject;
}

function issue(issuer: Issuer, request: CertificateRequest): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = subjectAltNames(request);
  const usages = [request.usage].flat();
  const certificate = signCertificate(issuer, {
    subject: distinguishedName(request.commonName, request.organizations ?? []),
    publicKey,
    validity: request.validity,
    extensions: [
      extension(oids.basicConstraints, der.sequence(), true),
      keyUsage(keyUsages.leaf),
      extension(
        oids.extendedKeyUsage,
        der.sequence(...usages.map((usage) => der.objectIdentifier(oids[usage]))),
      ),
      extension(oids.subjectKeyIdentifier, der.octetString(keyIdentifier(publicKey))),
      extension(oids.authorityKeyIdentifier, der.sequence(der.implicit(0, issuer.keyId))),
      ...(names.length === 0 ? [] : [extension(oids.subjectAltName, der.sequence(...names))]),
    ],
  });
  return { certificate, key: pem(privateKey) };
}

/** The signed content of a certificate. */
interface Statement {
  readonly subject: der.Der;
  readonly publicKey: KeyObject;
  readonly extensions: readonly der.Der[];
  readonly validity: Validity | undefined;
}

/** Signs a certificate with the key of its issuer. Source: RFC 5280, 4.1. */
function signCertificate(issuer: Issuer, statement: Statement): string {
  const { subject, publicKey, extensions, validity = aYear() } = statement;
  const algorithm = der.sequence(der.objectIdentifier(oids.ecPublicKeySha256));
  const toBeSigned = der.sequence(
    der.explicit(0, der.unsignedInteger(Buffer.from([2]))),
    der.unsignedInteger(randomBytes(16)),
    algorithm,
    issuer.name,
    der.sequence(der.time(new Date(validity.from)), der.time(new Date(validity.until))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...extensions)),
  );
  const signature = sign('sha256', toBeSigned, issuer.privateKey);
  const certificate = der.sequence(toBeSigned, algorithm, der.bitString(signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function extension(oid: string, value: der.Der, critical = false): der.Der {
  const flag = critical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(oid), ...flag, der.octetString(value));
}

function keyUsage({ byte, unusedBits }: { readonly byte: number; readonly unusedBits: number }): der.Der {
  return extension(oids.keyUsage, der.bitString(Buffer.from([byte]), unusedBits), true);
}

function distinguishedName(commonName: string, organizations: readonly string[]): der.Der {
  const attribute = (oid: string, value: string): der.Der =>
    der.set(der.sequence(der.objectIdentifier(oid), der.utf8String(value)));
  return der.sequence(
    ...organizations.map((organization) => attribute(oids.organization, organization)),
    attribute(oids.commonName, commonName),
  );
}

function subjectAltNames(request: CertificateRequest): readonly der.Der[] {
  return [
    ...(request.dnsNames ?? []).map((name) => der.implicit(2, Buffer.from(name, 'ascii'))),
    ...(request.ipAddresses ?? []).map((address) => der.implicit(7, ipAddressBytes(address))),
  ];
}

function ipAddressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  if (!isIPv6(address)) throw new TypeError(`${JSON.stringify(address)} is not an IP address`);
  // The URL parser returns the canonical form of an IPv6 address: without IPv4 suffix and zone, and with at most one '::'.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (text: string): number[] =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => parseInt(group, 16));
  const left = groups(head);
  const right = groups(tail ?? '');
  const zeros = new Array<number>(8 - left.length - right.length).fill(0);
  return Buffer.from([...left, ...zeros, ...right].flatMap((group) => [group >> 8, group & 0xff]));
}

/** Returns the key identifier of a public key. Source: RFC 7093, section 2, method 1. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return createHash('sha256').update(point).digest().subarray(0, 20);
}

function pem(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
