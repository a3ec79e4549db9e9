import type { ServedKind } from './served-kind.ts';

/** The kinds that the server serves, by path and by type. */
export class KindRegistry {
  readonly #byPath = new Map<string, ServedKind>();
  readonly #byType = new Map<string, ServedKind>();

  constructor(kinds: readonly ServedKind[]) {
    for (const kind of kinds) {
      this.#byPath.set(`${kind.apiVersion} ${kind.plural}`, kind);
      this.#byType.set(`${kind.apiVersion} ${kind.kind}`, kind);
    }
  }

  get all(): readonly ServedKind[] {
    return [...this.#byPath.values()];
  }

  atPath(apiVersion: string, plural: string): ServedKind | undefined {
    return this.#byPath.get(`${apiVersion} ${plural}`);
  }

  ofType(apiVersion: string, kind: string): ServedKind | undefined {
    return this.#byType.get(`${apiVersion} ${kind}`);
  }

  /** A kind of a collection, in any version. */
  ofCollection(id: string): ServedKind | undefined {
    return this.all.find(({ group, plural }) => `${group}/${plural}` === id);
  }

  hasGroup(group: string): boolean {
    return this.all.some((kind) => kind.group === group);
  }
}
