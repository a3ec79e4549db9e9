import { slotCount } from './cluster-node.ts';

const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Returns the slot of a key: that of the text between the first braces, if there is one, so that keys can be kept together.
 * @see https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
 */
export function slotOf(key: Uint8Array): number {
  const start = key.indexOf(openBrace);
  const end = start === -1 ? -1 : key.indexOf(closeBrace, start + 1);
  return crc16(end > start + 1 ? key.subarray(start + 1, end) : key) % slotCount;
}

/** CRC of XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc;
}
