import { mkdir, readlink, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Contents of files by their paths in a volume. */
export type FileContents = ReadonlyMap<string, Uint8Array | string>;

/**
 * Writes the files of a volume, so that a reader sees either all old or all new contents: the files are links into a folder that is
 * exchanged by a rename, as a kubelet does it.
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/volume/util/atomic_writer.go
 */
export class ConfigFiles {
  readonly #folder: string;
  #written: string | undefined;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes contents, unless they are those that were written last. */
  async write(contents: FileContents): Promise<void> {
    const text = JSON.stringify(
      [...contents].map(([path, value]) => [path, Buffer.from(value).toString('base64')]),
    );
    if (text === this.#written) return;
    const name = `..data-${++this.#count}`;
    const target = join(this.#folder, name);
    await mkdir(target, { recursive: true, mode: 0o700 });
    for (const [path, content] of contents) {
      await mkdir(dirname(join(target, path)), { recursive: true, mode: 0o700 });
      await writeFile(join(target, path), content, { mode: 0o600 });
    }
    const former = await readlink(join(this.#folder, '..data')).catch(() => undefined);
    await symlink(name, join(this.#folder, '..data_tmp'));
    await rename(join(this.#folder, '..data_tmp'), join(this.#folder, '..data'));
    await this.#link(new Set([...contents.keys()].map((path) => path.split('/')[0] ?? '')));
    if (former !== undefined) await rm(join(this.#folder, former), { recursive: true, force: true });
    this.#written = text;
  }

  /** Makes a link for each name in the top folder, and removes those of files that are gone. */
  async #link(names: ReadonlySet<string>): Promise<void> {
    const existing = (await readdir(this.#folder)).filter((name) => !name.startsWith('..'));
    for (const name of existing) if (!names.has(name)) await rm(join(this.#folder, name));
    for (const name of names)
      if (!existing.includes(name)) await symlink(join('..data', name), join(this.#folder, name));
  }
}
