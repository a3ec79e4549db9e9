/** A file of a test archive; a folder if there is no content. */
export interface TarEntry {
  readonly name: string;
  readonly content?: Uint8Array;
  /** The member that this one is another name of. */
  readonly hardLink?: string;
  /** The type flag. Default: that of a file, folder or link. */
  readonly type?: string;
}

/** A ustar archive. */
export function tar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, content, hardLink, type }) => {
    const data = content ?? Buffer.alloc(0);
    const padding = Buffer.alloc((512 - (data.length % 512)) % 512);
    return [header(name, data.length, type ?? typeOf({ content, hardLink }), hardLink), data, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function typeOf({ content, hardLink }: { content: unknown; hardLink: unknown }): string {
  if (hardLink !== undefined) return '1';
  return content === undefined ? '5' : '0';
}

function header(name: string, size: number, type: string, linkTarget = ''): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100, 'utf8');
  block.write('0000755\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(linkTarget, 157, 100, 'utf8');
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
