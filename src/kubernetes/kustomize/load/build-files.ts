import { isUtf8 } from 'node:buffer';
import { readFile, realpath, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FindingList } from '../../../base/errors/index.ts';
import { errnoOf, errnoText } from '../../../base/util/fs.ts';
import type { PathEntry } from '../entries.ts';

/** Result of looking up a path that a kustomization names. */
type Found =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'folder'; readonly path: string }
  | undefined;

/** Text of a file, with its name in findings. */
interface ReadText {
  readonly file: string;
  readonly text: string;
}

interface ReadBytes {
  readonly file: string;
  readonly bytes: Buffer;
}

/** Reads the files of a build. If a file has a problem, a method reports a finding and returns undefined. */
export class BuildFiles {
  readonly #realCwd: string;
  readonly #findings: FindingList;
  readonly #workaround: string;
  readonly #texts = new Map<string, string>();
  #marks = 0;

  /**
   * @param realCwd folder in which the command runs, with symbolic links resolved
   * @param workaround explains how to render the build with kustomize instead; used as a fix in findings
   */
  constructor(realCwd: string, findings: FindingList, workaround: string) {
    this.#realCwd = realCwd;
    this.#findings = findings;
    this.#workaround = workaround;
  }

  /** Returns the name of a file or folder, as used in findings. */
  shown(path: string): string {
    const way = relative(this.#realCwd, path);
    return way === '' ? '.' : way.split(sep).join('/');
  }

  /** Looks up a path that the kustomization in the folder `root` names. `path` of the result contains no symbolic links. */
  async find(root: string, { path, where }: PathEntry): Promise<Found> {
    const whole = resolve(root, path);
    const stats = /^https?:\/\//i.test(path) ? undefined : await this.#statOf(whole, { path, where });
    // A path that looks remote may name a local file. kustomize, too, looks for a local file of that name first.
    const isFile = typeof stats === 'object' && stats.isFile();
    if (isRemotePath(path) && !isFile) {
      this.#findings.add({
        code: 'kustomize/unsupported-field',
        message: `${path} is on another machine: op-sdk renders local files only`,
        where,
        fix: ['keep a copy of it in the project', this.#workaround],
      });
      return undefined;
    }
    if (stats === undefined) return undefined;
    if (stats === 'missing' || !(stats.isFile() || stats.isDirectory())) {
      const what = stats === 'missing' ? 'does not exist' : 'is neither a file nor a folder';
      this.#findings.add({
        code: 'kustomize/missing-file',
        message: `${path} ${what}`,
        where,
        fix: [`paths are relative to ${this.shown(root)}: correct the path, or remove it`],
      });
      return undefined;
    }
    const real = await realpath(whole);
    if (stats.isFile()) {
      if (isBelow(root, real)) return { type: 'file', path: real };
      this.#findings.add({
        code: 'kustomize/outside-root',
        message: `the file ${path} is not in or below ${this.shown(root)}`,
        where,
        fix: ['move the file there, or give its folder a kustomization and include the folder'],
      });
      return undefined;
    }
    if (!isAbsolute(path)) return { type: 'folder', path: real };
    this.#findings.add({
      code: 'kustomize/outside-root',
      message: `the path of the folder ${path} is absolute`,
      where,
      fix: [`write it relative to ${this.shown(root)}`],
    });
    return undefined;
  }

  /** Returns the file system information of a file or folder. If reading it fails, reports the error and returns undefined. */
  async #statOf(whole: string, { path, where }: PathEntry): Promise<Stats | 'missing' | undefined> {
    try {
      return await stat(whole);
    } catch (error) {
      // ENAMETOOLONG and ERR_INVALID_ARG_VALUE (for a zero byte) occur if a kustomization has an inline patch in place of a path.
      if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(errnoOf(error) ?? ''))
        return 'missing';
      this.#findings.add({
        code: 'io/cannot-read',
        message: `cannot read ${path}: ${errnoText(error)}`,
        where,
      });
      return undefined;
    }
  }

  /** Reads the text of a file that has been found already. */
  async read(path: string, entry: PathEntry): Promise<string | undefined> {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const bytes = await this.#readWhole(path, entry);
    if (bytes === undefined) return undefined;
    if (!isUtf8(bytes)) {
      this.#findings.add({
        code: 'io/yaml-syntax',
        message: 'the file is not UTF-8',
        where: { file: this.shown(path) },
      });
      return undefined;
    }
    const text = new TextDecoder().decode(bytes);
    const more = countMarks(text);
    this.#marks += more;
    if (more > limits.fileMarks)
      return this.#tooLarge(entry, `${this.shown(path)} has more than ${limits.fileMarks} lines and items`);
    if (this.#marks > limits.totalMarks)
      return this.#tooLarge(entry, `all files together have more than ${limits.totalMarks} lines and items`);
    this.#texts.set(path, text);
    return text;
  }

  #tooLarge({ where }: PathEntry, message: string): undefined {
    this.#findings.add({
      code: 'kustomize/too-large',
      message,
      where,
      fix: ['split the build, or take out what does not belong in it', this.#workaround],
    });
  }

  async #findFile(root: string, entry: PathEntry): Promise<string | undefined> {
    const found = await this.find(root, entry);
    if (found?.type !== 'folder') return found?.path;
    this.#findings.add({
      code: 'kustomize/missing-file',
      message: `${entry.path} is a folder, where a file is expected`,
      where: entry.where,
    });
    return undefined;
  }

  /** Finds a file that an entry of the kustomization in the folder `root` names, and reads it as text. The file must be inside `root`. */
  async readEntry(root: string, entry: PathEntry): Promise<ReadText | undefined> {
    const path = await this.#findFile(root, entry);
    const text = path === undefined ? undefined : await this.read(path, entry);
    return path === undefined || text === undefined ? undefined : { file: this.shown(path), text };
  }

  /** Finds a file that an entry of the kustomization in the folder `root` names, and reads its bytes. The file must be inside `root`. */
  async readBytes(root: string, entry: PathEntry): Promise<ReadBytes | undefined> {
    const path = await this.#findFile(root, entry);
    if (path === undefined) return undefined;
    const bytes = await this.#readWhole(path, entry);
    return bytes === undefined ? undefined : { file: this.shown(path), bytes };
  }

  /** Returns the content of a file. If the file is too long, reports this as a finding and returns undefined. */
  async #readWhole(path: string, entry: PathEntry): Promise<Buffer | undefined> {
    try {
      const { size } = await stat(path);
      if (size > limits.fileBytes)
        return this.#tooLarge(
          entry,
          `${this.shown(path)} has more than ${limits.fileBytes / 1024 / 1024} MiB`,
        );
      return await readFile(path);
    } catch (error) {
      this.#findings.add({
        code: 'io/cannot-read',
        message: `cannot read the file ${this.shown(path)}: ${errnoText(error)}`,
        where: { file: this.shown(path) },
      });
      return undefined;
    }
  }
}

/** Returns true if `path` is the folder itself, or is anywhere below the folder. */
export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : join(folder, sep));
}

/**
 * Returns true if a path is remote: a URL, or a git repository in one of the forms that kustomize clones.
 * Source: kustomize `api/internal/git/repospec.go`.
 */
function isRemotePath(path: string): boolean {
  const plain = path.replace(/^git::/i, '');
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(plain) ||
    /^github\.com[/:]/i.test(plain) ||
    /^[a-zA-Z][a-zA-Z0-9-]*@[^/]*[:/]/.test(plain) ||
    plain !== path
  );
}

/** Limits of a build, far above the needs of real projects. A build that exceeds a limit is refused before it exhausts the memory. */
export const limits = {
  fileBytes: 8 * 1024 * 1024,
  /**
   * Maximum number of YAML values in one file, estimated by {@link countMarks}. The limit is needed because the parser uses about a
   * kilobyte for each value.
   */
  fileMarks: 150_000,
  /** Maximum number of YAML values in all files together, estimated by {@link countMarks}. */
  totalMarks: 200_000,
  /**
   * Maximum size of all generated objects together, in bytes. A file is counted each time it is used. For comparison, an object that
   * Kubernetes stores has a million bytes at most.
   */
  generatedBytes: 64 * 1024 * 1024,
  /** Maximum number of fields that one configuration file, or one file of schemas, may name. */
  fieldSpecs: 2_000,
  /** Maximum number of JSON values in all resources. A file is counted each time it is used. */
  values: 1_000_000,
  /** Maximum number of folders. A folder is counted each time it is used. */
  folders: 10_000,
  /** Maximum length of a chain of folders of which each includes the next one. */
  depth: 200,
} as const;

/** Estimates the number of values in a YAML text: counts its line breaks, commas and opening brackets. */
function countMarks(text: string): number {
  let marks = 0;
  for (const _mark of text.matchAll(/[\n,[{]/g)) marks++;
  return marks;
}
