import { hash } from 'node:crypto';
import type { CachedObject } from './store.ts';

/** What one owner of fields has applied to an object. */
interface Applied {
  readonly uid: string;
  /** Of what was desired. */
  readonly desired: string;
  /** Of the desired fields as the server answered them. */
  readonly fields: string;
  /** A version of the object in which the fields are so. */
  version: string;
}

/**
 * Remembers what was applied, so that nothing is sent that would change nothing. An apply is left out only if the same was applied to the same
 * object before, and its fields are now as in the server's answer then: not as in what was sent, which the server may have defaulted,
 * normalized (`1000m` is `1`) or changed by a webhook. Hashes only: an operator has many objects.
 * Who owns a field does not count: one that another has changed and changed back is theirs until something else is applied.
 */
export class AppliedFields {
  readonly #applied = new Map<string, Map<string, Applied>>();

  /**
   * @param key of the object
   * @param owner who applies: verb, field manager
   * @param body what would be sent
   * @param text the same as JSON
   */
  isUnchanged(key: string, owner: string, body: unknown, text: string, live: CachedObject): boolean {
    const applied = this.#applied.get(key)?.get(owner);
    const { uid, resourceVersion } = live.metadata;
    if (applied?.uid !== uid || applied.desired !== digest(text)) return false;
    if (applied.version === resourceVersion) return true;
    if (applied.fields !== digest(fieldsText(body, live))) return false;
    applied.version = resourceVersion;
    return true;
  }

  /** @param answer the object as the server answered it */
  remember(key: string, owner: string, body: unknown, text: string, answer: CachedObject): void {
    const { uid, resourceVersion } = answer.metadata;
    const applied = {
      uid,
      desired: digest(text),
      fields: digest(fieldsText(body, answer)),
      version: resourceVersion,
    };
    const known = this.#applied.get(key);
    if (known === undefined) this.#applied.set(key, new Map([[owner, applied]]));
    else known.set(owner, applied);
  }

  /** @param owner whose apply is no longer known. Default: all, because the object is gone */
  forget(key: string, owner?: string): void {
    const known = this.#applied.get(key);
    if (owner !== undefined) known?.delete(owner);
    if (owner === undefined || known?.size === 0) this.#applied.delete(key);
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'base64');
}

/** The values that an object has in the fields of another one; lists whole: their items may have been reordered or joined by others. */
function fieldsText(body: unknown, object: unknown): string {
  return JSON.stringify(fieldsOf(body, object));
}

function fieldsOf(body: unknown, value: unknown): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || typeof value !== 'object' || value === null) return value ?? null;
  return Object.entries(body).map(([key, part]) =>
    part === undefined ? 0 : fieldsOf(part, (value as Readonly<Record<string, unknown>>)[key]),
  );
}
