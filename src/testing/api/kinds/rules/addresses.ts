import { isIP, isIPv4 } from 'node:net';
import { invalidValue, type FieldError } from '../../../../kubernetes/objects/index.ts';

/** A range of addresses: bytes of the first one, and the length of the prefix. */
interface Cidr {
  readonly bytes: readonly number[];
  readonly length: number;
}

/** Returns the address without leading zeros of its numbers, if it is an IPv4 address. */
const withoutZeros = (address: string): string => address.replaceAll(/(^|\.)0+(?=\d)/g, '$1');

const isMapped = (address: string): boolean => /^[0:]*:ffff:\d+\.\d+\.\d+\.\d+$/i.test(address);

/** Returns the errors of an IP address. Source: apimachinery `IsValidIPForLegacyField`. */
export function addressErrors(address: string, field: string): readonly FieldError[] {
  if (isIP(withoutZeros(address)) === 0)
    return [invalidValue(field, address, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
  if (isIP(address) === 0) return [invalidValue(field, address, 'must not have leading 0s')];
  return isMapped(address) ? [invalidValue(field, address, 'must not be an IPv4-mapped IPv6 address')] : [];
}

/** Returns the errors of an IP address that must be in its canonical form. Source: apimachinery `IsValidIP`. */
export function canonicalErrors(address: string, field: string): readonly FieldError[] {
  const errors = addressErrors(address, field);
  if (errors.length > 0) return errors;
  const canonical = canonicalAddress(address);
  return address === canonical
    ? []
    : [invalidValue(field, address, `must be in canonical form (${JSON.stringify(canonical)})`)];
}

function canonicalAddress(address: string): string {
  return isIPv4(address) ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** Returns the errors of an address that no endpoint can have. Source: kubernetes `ValidateEndpointIP`. */
export function endpointAddressErrors(address: string, field: string): readonly FieldError[] {
  const bytes = bytesOf(address);
  const starts = (...prefix: readonly number[]): boolean =>
    prefix.every((byte, index) => bytes[index] === byte);
  const isV4 = bytes.length === 4;
  const [first = 0, second = 0] = bytes;
  const errors: FieldError[] = [];
  const add = (detail: string): void => void errors.push(invalidValue(field, address, detail));
  if (bytes.every((byte) => byte === 0)) add(`may not be unspecified (${address})`);
  if (isV4 ? first === 127 : bytes.every((byte, index) => byte === (index === 15 ? 1 : 0)))
    add('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (isV4 ? starts(169, 254) : first === 0xfe && (second & 0xc0) === 0x80)
    add('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  if (isV4 ? starts(224, 0, 0) : first === 0xff && (second & 0x0f) === 2)
    add('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  return errors;
}

export function addressWarnings(address: string, field: string): readonly string[] {
  const canonical = canonicalAddress(address);
  return address === canonical
    ? []
    : [
        `${field}: IPv6 address ${JSON.stringify(address)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`,
      ];
}

function bytesOf(address: string): readonly number[] {
  if (isIPv4(address)) return address.split('.').map(Number);
  const [head = '', tail] = canonicalAddress(address).split('::');
  const words = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16));
  const [before, after] = [words(head), tail === undefined ? [] : words(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].flatMap((word) => [word >> 8, word & 0xff]);
}

/** Returns the range that a CIDR value describes; undefined for other text. */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', digits = '', ...rest] = text.split('/');
  const plain = withoutZeros(address);
  if (rest.length > 0 || !/^\d+$/.test(digits) || isIP(plain) === 0) return undefined;
  const bytes = bytesOf(plain);
  const length = Number(digits);
  return length <= bytes.length * 8 ? { bytes, length } : undefined;
}

/** Returns the errors of a CIDR value. Source: apimachinery `IsValidCIDRForLegacyField`. */
export function cidrErrors(text: string, field: string): readonly FieldError[] {
  const parsed = parseCidr(text);
  if (parsed === undefined)
    return [invalidValue(field, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
  const [address = '', digits = ''] = text.split('/');
  if (isIP(address) === 0 || /^0\d/.test(digits))
    return [invalidValue(field, text, 'must not have leading 0s in IP or prefix length')];
  if (isMapped(address)) return [invalidValue(field, text, 'must not have an IPv4-mapped IPv6 address')];
  return bit(parsed.bytes, parsed.length) < 0
    ? []
    : [invalidValue(field, text, 'must not have bits set beyond the prefix length')];
}

/** Returns the position of the first bit that is set, from a position on; -1 if there is none. */
function bit(bytes: readonly number[], from: number): number {
  for (let at = from; at < bytes.length * 8; at += 1)
    if (((bytes[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0) return at;
  return -1;
}

/** Returns true if a range lies within another and is smaller. */
export function isStrictPart(part: Cidr, whole: Cidr): boolean {
  if (part.bytes.length !== whole.bytes.length || part.length <= whole.length) return false;
  return Array.from({ length: whole.length }).every(
    (_, at) => (((part.bytes[at >> 3] ?? 0) ^ (whole.bytes[at >> 3] ?? 0)) & (0x80 >> (at & 7))) === 0,
  );
}
