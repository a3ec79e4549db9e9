import { mkdir, readlink, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file of a volume. */
export interface VolumeFile {
  readonly content: Uint8Array | string;
  /** Permissions, of which only those of the owner matter. */
  readonly mode: number;
}

/** Files of a volume by their paths in it. */
type VolumeFiles = ReadonlyMap<string, VolumeFile>;

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

  /** Writes files, unless they equal the last written ones. */
  async write(files: VolumeFiles): Promise<void> {
    const text = JSON.stringify(
      [...files].map(([path, { content, mode }]) => [path, mode, Buffer.from(content).toString('base64')]),
    );
    if (text === this.#written) return;
    const name = `..data-${++this.#count}`;
    const target = join(this.#folder, name);
    await mkdir(target, { recursive: true, mode: 0o700 });
    for (const [path, { content, mode }] of files) {
      await mkdir(dirname(join(target, path)), { recursive: true, mode: 0o700 });
      // A process that is not root reads a file of a group only as its owner.
      await writeFile(join(target, path), content, { mode: mode | 0o400 });
    }
    const former = await readlink(join(this.#folder, '..data')).catch(() => undefined);
    // A write that failed between the next two lines has left its link.
    await rm(join(this.#folder, '..data_tmp'), { force: true });
    await symlink(name, join(this.#folder, '..data_tmp'));
    await rename(join(this.#folder, '..data_tmp'), join(this.#folder, '..data'));
    await this.#link(new Set([...files.keys()].map((path) => path.split('/')[0] ?? '')));
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
