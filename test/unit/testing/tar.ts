/** A file of a test archive; a folder if there is no content. */
export interface TarEntry {
  readonly name: string;
  readonly content?: Uint8Array;
  /** Of its header, if it is neither a file nor a folder: `1` and `2` for links. */
  readonly type?: string;
  /** What a link leads to. */
  readonly target?: string;
}

/** A ustar archive. */
export function tar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(
    ({ name, content, type = content === undefined ? '5' : '0', target = '' }) => {
      const data = content ?? Buffer.alloc(0);
      const padding = Buffer.alloc((512 - (data.length % 512)) % 512);
      return [header(name, data.length, type, target), data, padding];
    },
  );
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function header(name: string, size: number, type: string, target: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100, 'utf8');
  block.write('0000755\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(target, 157, 100, 'utf8');
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
