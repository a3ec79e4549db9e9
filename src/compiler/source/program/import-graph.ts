/** The files that each file of a program imports, also by `import type` and by `import('…')` in types. */
export class ImportGraph {
  readonly #importers = new Map<string, Set<string>>();

  /** Notes an import, by absolute names. */
  add(importer: string, imported: string): void {
    const importers = this.#importers.get(imported) ?? new Set();
    this.#importers.set(imported, importers.add(importer));
  }

  /** The files from which imports lead to one of `targets`, those themselves included. */
  reaching(isTarget: (file: string) => boolean): ReadonlySet<string> {
    const reached = new Set([...this.#importers.keys()].filter(isTarget));
    // A set goes on through what is added while it is walked.
    for (const file of reached) for (const importer of this.#importers.get(file) ?? []) reached.add(importer);
    return reached;
  }
}
