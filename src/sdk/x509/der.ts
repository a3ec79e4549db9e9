/** A complete DER element: tag, length and content. Source: ITU-T X.690. */
export type Der = Buffer;

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Encodes an element from its tag byte and its content. */
export function element(tag: number, content: Uint8Array): Der {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export function sequence(...members: readonly Der[]): Der {
  return element(tags.sequence, Buffer.concat(members));
}

export function set(...members: readonly Der[]): Der {
  return element(tags.set, Buffer.concat(members));
}

export function boolean(value: boolean): Der {
  return element(tags.boolean, Buffer.from([value ? 0xff : 0x00]));
}

/** Encodes a non-negative integer from its big-endian bytes: drops leading zeros, and adds a sign byte if necessary. */
export function unsignedInteger(bigEndian: Uint8Array): Der {
  let start = 0;
  while (start < bigEndian.length - 1 && bigEndian[start] === 0) start++;
  const magnitude = bigEndian.subarray(start);
  const negative = ((magnitude[0] ?? 0) & 0x80) !== 0;
  return element(
    tags.integer,
    negative
      ? Buffer.concat([Buffer.from([0]), magnitude])
      : magnitude.length === 0
        ? Buffer.from([0])
        : magnitude,
  );
}

/**
 * Encodes a bit string.
 * @param unusedBits number of unused low bits in the last byte, 0 to 7
 */
export function bitString(bytes: Uint8Array, unusedBits = 0): Der {
  return element(tags.bitString, Buffer.concat([Buffer.from([unusedBits]), bytes]));
}

export function octetString(bytes: Uint8Array): Der {
  return element(tags.octetString, bytes);
}

export function utf8String(text: string): Der {
  return element(tags.utf8String, Buffer.from(text, 'utf8'));
}

/**
 * Encodes an object identifier.
 * @param dotted dotted form, such as `2.5.29.17`
 */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => base128(arc));
  return element(tags.objectIdentifier, Buffer.from(bytes));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    digits.unshift((rest % 128) | 0x80);
  }
  return digits;
}

/** Encodes a time: UTCTime up to 2049, GeneralizedTime from 2050 on, without fractions of a second. Source: RFC 5280, 4.1.2.5. */
export function time(date: Date): Der {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? element(tags.utcTime, Buffer.from(digits.slice(2), 'ascii'))
    : element(tags.generalizedTime, Buffer.from(digits, 'ascii'));
}

/** Encodes a constructed element of context class: `[number] EXPLICIT`. */
export function explicit(number: number, content: Der): Der {
  return element(0xa0 | number, content);
}

/** Encodes a primitive element of context class: `[number] IMPLICIT`. */
export function implicit(number: number, content: Uint8Array): Der {
  return element(0x80 | number, content);
}
