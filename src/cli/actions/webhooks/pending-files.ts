import { readFileOf } from '../../../project/project/index.ts';

/** The files of a project as a command will leave them. */
export class PendingFiles {
  readonly #root: string;
  readonly #texts = new Map<string, string>();

  /** @param root absolute */
  constructor(root: string) {
    this.#root = root;
  }

  /** The text of a file as it will be; undefined if there is none. */
  readonly read = async (path: string): Promise<string | undefined> =>
    this.#texts.get(path) ?? readFileOf(this.#root, path);

  set(...files: readonly { readonly path: string; readonly content: string }[]): void {
    for (const { path, content } of files) this.#texts.set(path, content);
  }

  get files(): readonly { readonly path: string; readonly content: string }[] {
    return [...this.#texts].map(([path, content]) => ({ path, content }));
  }
}
