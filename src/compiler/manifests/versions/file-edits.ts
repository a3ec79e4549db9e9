import { applyTextEdits, type TextEdit } from '../../source/index.ts';

/** A file of the project with edits made. */
export interface EditedFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** As it is now. */
  readonly before: string;
  readonly content: string;
}

/** Collects edits of several files. */
export class FileEdits {
  readonly #files = new Map<string, { readonly text: string; readonly edits: TextEdit[] }>();

  add(path: string, text: string, edits: readonly TextEdit[]): void {
    const file = this.#files.get(path) ?? { text, edits: [] };
    file.edits.push(...edits);
    this.#files.set(path, file);
  }

  /** The files that edits change, in the order in which they came. */
  get files(): readonly EditedFile[] {
    return [...this.#files].flatMap(([path, { text, edits }]) => {
      const content = applyTextEdits(text, edits);
      return content === text ? [] : [{ path, before: text, content }];
    });
  }
}
