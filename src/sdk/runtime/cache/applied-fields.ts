import { hash } from 'node:crypto';
import { keyText, type ObjectKey } from '../../kube/index.ts';
import { sentFieldsText, sentShape, type SentShape } from './sent-fields.ts';
import type { CachedObject } from './store.ts';

/** A write, as far as it decides what the server would change. */
export interface SentWrite {
  readonly key: ObjectKey;
  readonly verb: 'apply' | 'apply status' | 'update';
  readonly fieldManager: string;
  /** The fields that are sent. */
  readonly body: unknown;
}

/** The last write of one owner of fields to an object. */
export interface Applied {
  readonly uid: string;
  /** Hash of the body. */
  readonly desired: string;
  readonly shape: SentShape;
  /** Hash of the sent fields as the server answered them. */
  readonly fields: string;
  /** A version of the object in which the fields are so. */
  version: string;
}

/**
 * Remembers what was applied, so that nothing is sent that would change nothing. A write is left out only if the same was written to the same
 * object before, and its fields are now as in the server's answer then: not as in what was sent, which the server may have defaulted,
 * normalized (`1000m` is `1`) or changed by a webhook. A map that the server keeps as one value is compared whole; if the answer lacks a
 * field that was sent, the whole object is. A write that changed nothing is not repeated for the same version of the object.
 *
 * Who owns a field does not count: one that another has changed and changed back is theirs until something else is applied. Hashes, and
 * the paths of maps that are one value: an operator has many objects.
 */
export class AppliedFields {
  readonly #applied = new Map<string, Map<string, Applied>>();

  /** The last write of the same fields to the object, if it is known. */
  find(write: SentWrite, live: CachedObject): Applied | undefined {
    const applied = this.#applied.get(keyText(write.key))?.get(ownerOf(write));
    const isSame = applied?.uid === live.metadata.uid && applied.desired === bodyHash(write);
    return isSame ? applied : undefined;
  }

  /** True if the object has all that the write gave it. */
  isUnchanged(write: SentWrite, live: CachedObject): boolean {
    const applied = this.find(write, live);
    if (applied === undefined) return false;
    const { resourceVersion } = live.metadata;
    if (applied.version === resourceVersion) return true;
    if (applied.fields !== digest(sentFieldsText(write.body, live, applied.shape))) return false;
    applied.version = resourceVersion;
    return true;
  }

  /**
   * @param answer the object as the server answered it
   * @param before the last write of this owner
   */
  remember(write: SentWrite, answer: CachedObject, before: Applied | undefined): Applied {
    const { uid, resourceVersion } = answer.metadata;
    const known = before?.uid === uid ? before.shape : undefined;
    const shape = sentShape(write.body, answer, write.fieldManager, known);
    const applied = {
      uid,
      desired: bodyHash(write),
      shape,
      fields: digest(sentFieldsText(write.body, answer, shape)),
      version: resourceVersion,
    };
    const owners = this.#applied.get(keyText(write.key));
    if (owners === undefined) this.#applied.set(keyText(write.key), new Map([[ownerOf(write), applied]]));
    else owners.set(ownerOf(write), applied);
    return applied;
  }

  /** Forgets the last write of one owner, and gives it. */
  take(write: SentWrite): Applied | undefined {
    const owners = this.#applied.get(keyText(write.key));
    const applied = owners?.get(ownerOf(write));
    owners?.delete(ownerOf(write));
    if (owners?.size === 0) this.#applied.delete(keyText(write.key));
    return applied;
  }

  /** Forgets an object that is gone. */
  forget(key: string): void {
    this.#applied.delete(key);
  }
}

/** With or without force, the server knows one owner of the fields. */
function ownerOf({ verb, fieldManager }: SentWrite): string {
  return `${verb} ${fieldManager}`;
}

function bodyHash({ body }: SentWrite): string {
  return digest(JSON.stringify(body));
}

function digest(text: string): string {
  return hash('sha256', text, 'base64');
}
