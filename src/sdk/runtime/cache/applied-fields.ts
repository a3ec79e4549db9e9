import { hash } from 'node:crypto';
import { keyText, type ObjectKey } from '../../kube/index.ts';
import { sentFieldsText, sentShape, type SentShape } from './sent-fields.ts';
import type { CachedObject } from './store.ts';

/** Properties of a write request that determine what the write changes. */
export interface SentWrite {
  readonly key: ObjectKey;
  readonly verb: 'apply' | 'apply status' | 'update';
  readonly fieldManager: string;
  /** The fields to send. */
  readonly body: unknown;
}

/** The last write of one field owner to an object. */
export interface Applied {
  readonly uid: string;
  /** Hash of the fields that were sent. */
  readonly desired: string;
  readonly shape: SentShape;
  /** Hash of the values that the sent fields had in the server's answer. */
  readonly fields: string;
  /** Resource version of the object in which the sent fields have these values. */
  version: string;
}

/**
 * Remembers applied fields, so that writes without an effect are not sent. A write is skipped only if the same fields were written to the
 * same object before, and these fields still have the values of the server's answer to that write. The sent values may differ from the
 * answer, as the server may have defaulted, normalized (`1000m` is `1`) or changed them by a webhook. A map that the server keeps as one
 * value is compared completely. If the answer lacks a sent field, the complete object is compared. A write that changed nothing is not
 * repeated for the same version of the object.
 *
 * Ownership of fields is not compared: a field that another manager has changed and changed back belongs to that manager until other values
 * are applied. Only hashes and the paths of atomic maps are stored, as an operator has many objects.
 */
export class AppliedFields {
  readonly #applied = new Map<string, Map<string, Applied>>();

  /** Returns the last write of the same field owner, if it had the same fields and went to the same object (same uid). */
  find(write: SentWrite, live: CachedObject): Applied | undefined {
    const applied = this.#applied.get(keyText(write.key))?.get(ownerOf(write));
    const isSame = applied?.uid === live.metadata.uid && applied.desired === bodyHash(write);
    return isSame ? applied : undefined;
  }

  /** Returns true if the object still has the values that resulted from the last write of the same fields. */
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
   * Remembers a write and the values that its fields have in the server's answer.
   *
   * @param answer the object in the server's answer
   * @param before the previous write of the same field owner
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

  /** Removes the remembered last write of one field owner to an object, and returns that write. */
  take(write: SentWrite): Applied | undefined {
    const owners = this.#applied.get(keyText(write.key));
    const applied = owners?.get(ownerOf(write));
    owners?.delete(ownerOf(write));
    if (owners?.size === 0) this.#applied.delete(keyText(write.key));
    return applied;
  }

  /** Removes all remembered writes to a deleted object. */
  forget(key: string): void {
    this.#applied.delete(key);
  }
}

/**
 * Returns the key of a field owner. The key does not contain `force`, because the server records the same field owner with and without it.
 */
function ownerOf({ verb, fieldManager }: SentWrite): string {
  return `${verb} ${fieldManager}`;
}

function bodyHash({ body }: SentWrite): string {
  return digest(JSON.stringify(body));
}

function digest(text: string): string {
  return hash('sha256', text, 'base64');
}
