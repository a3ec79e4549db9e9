/** An entry of an archive as a reader sees it. */
export interface ReadEntry {
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link';
  readonly content: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtime: number;
  readonly linkTarget: string;
}

const types: Readonly<Record<string, ReadEntry['type']>> = { '0': 'file', '2': 'link', '5': 'folder' };

/** Reads a ustar or pax archive wholly; the content of files as latin1. Source: POSIX.1-2001. */
export function readTar(bytes: Buffer): readonly ReadEntry[] {
  const entries: ReadEntry[] = [];
  let pax: Record<string, string> = {};
  for (let at = 0; ;) {
    const header = bytes.subarray(at, at + 512);
    if (header.length < 512) throw new Error('the archive has no end');
    if (header.every((byte) => byte === 0)) {
      if (bytes.length - at !== 1024) throw new Error(`the end has ${bytes.length - at} bytes`);
      return entries;
    }
    const text = (start: number, length: number): string =>
      header.toString('latin1', start, start + length).split('\0')[0] ?? '';
    const number = (start: number, length: number): number => Number.parseInt(text(start, length), 8);
    const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0);
    if (sum !== number(148, 8)) throw new Error('wrong checksum');
    const size = number(124, 12);
    const content = bytes.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
    if (text(156, 1) === 'x') {
      pax = readPax(content);
      continue;
    }
    const prefix = text(345, 155);
    const type = types[text(156, 1)];
    if (type === undefined) throw new Error(`unknown type ${text(156, 1)}`);
    entries.push({
      path: (pax['path'] ?? `${prefix}${prefix === '' ? '' : '/'}${text(0, 100)}`).replace(/\/$/, ''),
      type,
      content: content.toString('latin1'),
      mode: number(100, 8),
      uid: number(108, 8),
      gid: number(116, 8),
      mtime: number(136, 12),
      linkTarget: pax['linkpath'] ?? text(157, 100),
    });
    pax = {};
  }
}

function readPax(bytes: Buffer): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < bytes.length;) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 10), 10);
    const [, key = '', value = ''] =
      /^\d+ ([^=]+)=(.*)\n$/s.exec(bytes.toString('utf8', at, at + length)) ?? [];
    if (key === '') throw new Error('malformed pax record');
    records[key] = value;
    at += length;
  }
  return records;
}
