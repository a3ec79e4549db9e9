import { isIPv4, isIPv6 } from 'node:net';
import { textArg, type CelFunctions } from './overloads.ts';
import { UnsupportedCel } from './unsupported.ts';
import { CelFault, LibraryValue, noOverload, type CelValue } from './values.ts';

/** An address of IPv4 or IPv6. Source: apiserver `pkg/cel/library/ip.go`, Go's `net/netip`. */
export class Ip extends LibraryValue {
  readonly type = 'net.IP';
  readonly family: 4 | 6;
  readonly bits: bigint;

  constructor(family: 4 | 6, bits: bigint) {
    super();
    this.family = family;
    this.bits = bits;
  }

  equals(other: LibraryValue): boolean {
    return other instanceof Ip && other.family === this.family && other.bits === this.bits;
  }

  get size(): 32 | 128 {
    return this.family === 4 ? 32 : 128;
  }

  /** Returns true if the first bits of the address are those of another. */
  isWithin(prefix: bigint, length: number): boolean {
    const shift = BigInt(this.size - length);
    return this.bits >> shift === prefix >> shift;
  }

  /** Returns the canonical text of RFC 5952. */
  override toString(): string {
    if (this.family === 4)
      return [24n, 16n, 8n, 0n].map((shift) => String((this.bits >> shift) & 255n)).join('.');
    const groups = Array.from({ length: 8 }, (_, index) =>
      ((this.bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
    );
    const [run] = [...groups.join(':').matchAll(/(?<![\da-f])0(?::0)+(?![\da-f])/g)].sort(
      (a, b) => b[0].length - a[0].length,
    );
    const text = groups.join(':');
    if (run === undefined) return text;
    const [before, after] = [text.slice(0, run.index), text.slice(run.index + run[0].length)];
    return `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`;
  }
}

function addressOf(text: string): Ip | undefined {
  if (isIPv4(text))
    return new Ip(
      4,
      text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n),
    );
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const [, head = text, dotted] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  const last = dotted === undefined ? undefined : addressOf(dotted)?.bits;
  const whole =
    last === undefined ? head : `${head}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`;
  const [left = '', right] = whole.split('::');
  const groups = (part: string): readonly string[] => (part === '' ? [] : part.split(':'));
  const [first, rest] = [groups(left), groups(right ?? '')];
  const zeros = Array.from({ length: right === undefined ? 0 : 8 - first.length - rest.length }, () => '0');
  return new Ip(
    6,
    [...first, ...zeros, ...rest].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n),
  );
}

/**
 * Returns the error of Go's `ParseAddr` for a text that is not an address.
 * @throws UnsupportedCel for an address of IPv6, whose errors are many
 */
function addressProblem(text: string): string {
  const [kind] = /[.:%]/.exec(text) ?? [];
  const error = (message: string, rest = ''): string =>
    `ParseAddr(${JSON.stringify(text)}): ${message}${rest === '' ? '' : ` (at ${JSON.stringify(rest)})`}`;
  if (kind === undefined) return error('unable to parse IP');
  if (kind === '%') return error('missing IPv6 address');
  if (kind === ':') throw new UnsupportedCel('errors of an invalid IPv6 address');
  let [value, digits, parts] = [0, 0, 0];
  for (const [index, sign] of [...text].entries()) {
    const rest = text.slice(index);
    if (/\d/.test(sign)) {
      if (digits === 1 && value === 0) return error('IPv4 field has octet with leading zero');
      value = value * 10 + Number(sign);
      digits++;
      if (value > 255) return error('IPv4 field has value >255');
    } else if (sign === '.') {
      if (index === 0 || rest.length === 1 || text[index - 1] === '.')
        return error('IPv4 field must have at least one digit', rest);
      if (parts === 3) return error('IPv4 address too long');
      parts++;
      [value, digits] = [0, 0];
    } else return error('unexpected character', rest);
  }
  return error('IPv4 address too short');
}

const isMapped = ({ family, bits }: Ip): boolean => family === 6 && bits >> 32n === 0xffffn;

/** @throws CelFault */
function parseIp(text: string): Ip {
  const shown = JSON.stringify(text);
  const [bare = '', zone] = text.split('%');
  if (zone !== undefined && zone !== '' && isIPv6(bare))
    throw new CelFault(`IP address ${shown} with zone value is not allowed`);
  const address = addressOf(text);
  if (address === undefined)
    throw new CelFault(
      `IP Address ${shown} parse error during conversion from string: ${addressProblem(text)}`,
    );
  if (isMapped(address)) throw new CelFault(`IPv4-mapped IPv6 address ${shown} is not allowed`);
  return address;
}

/** A network such as `10.0.0.0/8`. Source: apiserver `pkg/cel/library/cidr.go`. */
export class Cidr extends LibraryValue {
  readonly type = 'net.CIDR';
  readonly address: Ip;
  readonly length: number;

  constructor(address: Ip, length: number) {
    super();
    this.address = address;
    this.length = length;
  }

  equals(other: LibraryValue): boolean {
    return other instanceof Cidr && other.length === this.length && other.address.equals(this.address);
  }

  contains(ip: Ip): boolean {
    return ip.family === this.address.family && ip.isWithin(this.address.bits, this.length);
  }

  masked(): Cidr {
    const shift = BigInt(this.address.size - this.length);
    return new Cidr(new Ip(this.address.family, (this.address.bits >> shift) << shift), this.length);
  }

  override toString(): string {
    return `${this.address.toString()}/${this.length}`;
  }
}

/** @throws CelFault */
function parseCidr(text: string): Cidr {
  const prefix = 'network address parse error during conversion from string: ';
  const slash = text.lastIndexOf('/');
  const [host, bits] = [text.slice(0, Math.max(slash, 0)), text.slice(slash + 1)];
  const fault = (problem: string): CelFault =>
    new CelFault(`${prefix}${prefix}netip.ParsePrefix(${JSON.stringify(text)}): ${problem}`);
  if (slash < 0) throw fault("no '/'");
  if (host.includes('%') && isIPv6(host)) throw fault('IPv6 zones cannot be present in a prefix');
  const address = addressOf(host);
  if (address === undefined) throw fault(addressProblem(host));
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) throw fault(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (Number(bits) > address.size) throw fault('prefix length out of range');
  if (isMapped(address))
    throw new CelFault(`${prefix}IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return new Cidr(address, Number(bits));
}

/** A URL. Source: apiserver `pkg/cel/library/urls.go`, Go's `net/url`. */
export class Url extends LibraryValue {
  readonly type = 'kubernetes.URL';
  readonly scheme: string;
  readonly user: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  constructor(parts: {
    readonly scheme: string;
    readonly user: string;
    readonly host: string;
    readonly path: string;
    readonly query: string;
  }) {
    super();
    this.scheme = parts.scheme;
    this.user = parts.user;
    this.host = parts.host;
    this.path = parts.path;
    this.query = parts.query;
  }

  equals(other: LibraryValue): boolean {
    return other instanceof Url && JSON.stringify(other) === JSON.stringify(this);
  }

  get port(): string {
    return /^(?:\[.*\]|[^:]*):(\d+)$/.exec(this.host)?.[1] ?? '';
  }

  get hostname(): string {
    const host = this.host.replace(/:\d*$/, '');
    return host.startsWith('[') ? host.replace(/^\[|\]$/g, '') : host;
  }
}

const escapes = /^(?:[^%]|%[\da-fA-F]{2})*$/;

/** Returns the parts of a URL, or the reason why Go's `ParseRequestURI` refuses it. */
function parseUrl(text: string): Url | string {
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  if (text === '*') return new Url({ scheme: '', user: '', host: '', path: '*', query: '' });
  if (text.startsWith(':')) return 'missing protocol scheme';
  const [, scheme = '', rest = text] = /^([A-Za-z][A-Za-z\d+.-]*):(.*)$/s.exec(text) ?? [];
  const [, before = '', query = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(rest) ?? [];
  const parts = { scheme: scheme.toLowerCase(), user: '', host: '', path: before, query };
  if (!before.startsWith('/')) {
    // What follows the scheme is opaque, as in `mailto:a@b`.
    return scheme === '' ? 'invalid URI for request' : new Url({ ...parts, path: '' });
  }
  if (scheme === '' || !before.startsWith('//')) return pathProblem(before) ?? new Url(parts);
  const [, authority = '', path = ''] = /^\/\/([^/]*)(.*)$/s.exec(before) ?? [];
  const [, user = '', host = ''] = /^(?:(.*)@)?([^@]*)$/s.exec(authority) ?? [];
  const problem = userProblem(user) ?? hostProblem(parts.scheme, host) ?? pathProblem(path);
  return problem ?? new Url({ ...parts, user, host: unescaped(host), path });
}

const escapeProblem = (text: string): string =>
  `invalid URL escape ${JSON.stringify(/%(?![\da-fA-F]{2}).{0,2}/s.exec(text)?.[0] ?? '%')}`;

function pathProblem(path: string): string | undefined {
  return escapes.test(path) ? undefined : escapeProblem(path);
}

function userProblem(user: string): string | undefined {
  if (!/^[\w\-.:~!$&'()*+,;=%@]*$/.test(user)) return 'net/url: invalid userinfo';
  return escapes.test(user) ? undefined : escapeProblem(user);
}

function hostProblem(scheme: string, host: string): string | undefined {
  if (host.lastIndexOf('[') > 0) return 'invalid IP-literal';
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) return "missing ']' in host";
    const port = host.slice(end + 1);
    if (!/^(?::\d*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
    const address = host.slice(1, end).replace(/%25.+$/, '');
    return isIPv6(address) ? undefined : 'invalid IP-literal';
  }
  const [first, last] = [host.indexOf(':'), host.lastIndexOf(':')];
  const port = first < 0 ? '' : host.slice(/^https?$/.test(scheme) ? first : last);
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  // In a host, only bytes beyond ASCII may be escaped.
  const wrong = /%(?![89a-fA-F][\da-fA-F]).{0,2}/s.exec(host)?.[0];
  if (wrong !== undefined) return `invalid URL escape ${JSON.stringify(wrong)}`;
  const character = /[ "<>\\^`{|}]/.exec(host)?.[0];
  return character === undefined ? undefined : `invalid character ${JSON.stringify(character)} in host name`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the error of Go's `ParseRequestURI`, if it refuses a text. */
export function uriProblems(text: string): readonly string[] {
  const url = parseUrl(text);
  return url instanceof Url ? [] : [`parse ${JSON.stringify(text)}: ${url}`];
}

function urlOf(text: string): Url {
  const url = parseUrl(text);
  if (url instanceof Url) return url;
  throw new CelFault(`URL parse error during conversion from string: ${uriProblems(text).join('')}`);
}

/** Escapes a path as Go's `EscapedPath` does, unless it is escaped already. */
function escapedPath(path: string): string {
  if (/^(?:[\w\-.~$&+,/:;=@!'()*[\]]|%[\da-fA-F]{2})*$/.test(path)) return path;
  return encodeURI(unescaped(path)).replace(
    /[?#[\]!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function queryOf(query: string): ReadonlyMap<CelValue, CelValue> {
  const found = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';') || !escapes.test(part)) continue;
    const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part.replaceAll('+', ' ')) ?? [];
    const name = unescaped(key);
    found.set(name, [...(found.get(name) ?? []), unescaped(value)]);
  }
  return found;
}

type Args = readonly CelValue[];

function ofClass<T extends LibraryValue>(args: Args, type: abstract new (...parts: never[]) => T): T {
  const [value] = args;
  if (!(value instanceof type)) throw noOverload();
  return value;
}

const ip = (args: Args): Ip => ofClass(args, Ip);
const cidr = (args: Args): Cidr => ofClass(args, Cidr);
const url = (args: Args): Url => ofClass(args, Url);

function isParsed(text: string, parse: (text: string) => unknown): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An address, or its text. An invalid text is an error without a reason. */
function ipArg(value: CelValue = null): Ip {
  if (typeof value === 'string' && isParsed(value, parseIp)) return parseIp(value);
  if (!(value instanceof Ip)) throw noOverload();
  return value;
}

function cidrArg(value: CelValue = null): Cidr {
  if (typeof value === 'string') return parseCidr(value);
  if (!(value instanceof Cidr)) throw noOverload();
  return value;
}

type Range = readonly [bigint, number];

const inRange = (value: Ip, four: Range, six: Range): boolean =>
  value.isWithin(...(value.family === 4 ? four : six));

const ranges: Readonly<
  Record<'loopback' | 'multicast' | 'unicast' | 'anyMulticast', readonly [Range, Range]>
> = {
  loopback: [
    [0x7f000000n, 8],
    [1n, 128],
  ],
  multicast: [
    [0xe0000000n, 24],
    [0xff02n << 112n, 16],
  ],
  unicast: [
    [0xa9fe0000n, 16],
    [0xfe80n << 112n, 10],
  ],
  anyMulticast: [
    [0xe0000000n, 4],
    [0xff00n << 112n, 8],
  ],
};

const isLinkLocalMulticast = (value: Ip): boolean =>
  value.family === 4 ? inRange(value, ...ranges.multicast) : ((value.bits >> 112n) & 0xff0fn) === 0xff02n;

function isGlobalUnicast(value: Ip): boolean {
  const isBroadcast = value.family === 4 && value.bits === 0xffffffffn;
  const others = [ranges.loopback, ranges.anyMulticast, ranges.unicast];
  return value.bits !== 0n && !isBroadcast && !others.some((range) => inRange(value, ...range));
}

/** Functions of addresses, networks and URLs. */
export const networkFunctions: CelFunctions = {
  ip: (args) => parseIp(textArg(args, 0)),
  isIP: (args) => isParsed(textArg(args, 0), parseIp),
  'ip.isCanonical': (args) => parseIp(textArg(args, 0)).toString() === textArg(args, 0),
  '.family': (args) => BigInt(ip(args).family),
  '.isUnspecified': (args) => ip(args).bits === 0n,
  '.isLoopback': (args) => inRange(ip(args), ...ranges.loopback),
  '.isLinkLocalMulticast': (args) => isLinkLocalMulticast(ip(args)),
  '.isLinkLocalUnicast': (args) => inRange(ip(args), ...ranges.unicast),
  '.isGlobalUnicast': (args) => isGlobalUnicast(ip(args)),
  cidr: (args) => parseCidr(textArg(args, 0)),
  isCIDR: (args) => isParsed(textArg(args, 0), parseCidr),
  '.containsIP': (args) => cidr(args).contains(ipArg(args[1])),
  '.containsCIDR': (args) => {
    const [outer, inner] = [cidr(args), cidrArg(args[1])];
    return outer.length <= inner.length && outer.contains(inner.address);
  },
  '.ip': (args) => cidr(args).address,
  '.prefixLength': (args) => BigInt(cidr(args).length),
  '.masked': (args) => cidr(args).masked(),
  url: (args) => urlOf(textArg(args, 0)),
  isURL: (args) => uriProblems(textArg(args, 0)).length === 0,
  '.getScheme': (args) => url(args).scheme,
  '.getHost': (args) => url(args).host,
  '.getHostname': (args) => url(args).hostname,
  '.getPort': (args) => url(args).port,
  '.getEscapedPath': (args) => escapedPath(url(args).path),
  '.getQuery': (args) => queryOf(url(args).query),
};
