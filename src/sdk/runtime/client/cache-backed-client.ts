import { isDeepStrictEqual } from 'node:util';
import type { KubeList, KubeObject, ObjectOf, Resource, Stored, StoredCopy } from '../../api/index.ts';
import {
  isAlreadyExists,
  isConflict,
  objectNotFound,
  type ApplyObject,
  type ApplyOptions,
  type CallOptions,
  type Client,
  type CreateObject,
  type DeepPartial,
  type DeleteOptions,
  type DeleteResult,
  type ListOptions,
  type LiveClient,
  type MergePatch,
  type ObjectKey,
  type Patch,
  type StatusOf,
  type WriteOptions,
} from '../../kube/index.ts';
import {
  sentShape,
  type Applied,
  type AppliedFields,
  type CachedReader,
  type Index,
  type IndexOptions,
  type OwnWrites,
  type SentWrite,
} from '../cache/index.ts';
import { assertConditionsAreAMap } from '../applied-conditions.ts';
import { mutableCopy } from '../deep-freeze.ts';
import { checkOwners } from '../owner/index.ts';
import { type ControllerClient, type CreateOrUpdateResult, countCalls } from './controller-client.ts';
import { boundClient } from './bound-client.ts';
import { hasOtherFields, mergeDesired } from './merge-desired.ts';

/** Maximum number of tries of one `modify` or `mergeStatus` to write the object. */
const MODIFY_ATTEMPTS = 5;

export interface CacheBackedClientOptions<S extends 'cache' | 'cluster' = 'cache'> {
  /** Source of reads: the cache of the manager's own cluster, or of another cluster. */
  readonly source: S;
  readonly cached: CachedReader;
  readonly live: Client;
  /** Updates the cache after each write. */
  readonly writes: OwnWrites;
  /** Field manager for writes that do not set one. */
  readonly fieldManager: string;
  /** Signal for calls without a signal; read at each call. */
  readonly signal?: AbortSignal;
  /** Called for each call that goes to the API server. Default: calls are not counted. */
  readonly count?: (() => void) | undefined;
  /** Object that is being reconciled. Owner references to it are checked before they are written. */
  readonly owner?: Stored<KubeObject>;
}

/** Client that reads from the cache and writes to the API server, with the defaults of one controller or runnable. */
export class CacheBackedClient<S extends 'cache' | 'cluster' = 'cache'> implements Omit<
  ControllerClient,
  'source'
> {
  readonly source: S;
  readonly live: LiveClient;
  readonly #cached: CachedReader;
  readonly #server: Client;
  readonly #writes: OwnWrites;
  readonly #options: CacheBackedClientOptions<S>;

  constructor(options: CacheBackedClientOptions<S>) {
    this.source = options.source;
    this.#options = options;
    this.#cached = options.cached;
    const { count } = options;
    const live = count === undefined ? options.live : countCalls(options.live, count);
    this.#server = live;
    this.#writes = options.writes;
    this.live = boundClient(live, {
      call: (given) => this.#call(given),
      write: (given) => this.#write(given),
    });
  }

  get<R extends Resource>(resource: R, key: ObjectKey, options?: CallOptions): Promise<Stored<ObjectOf<R>>> {
    return this.#cached.get(resource, key, this.#call(options));
  }

  find<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: CallOptions,
  ): Promise<Stored<ObjectOf<R>> | undefined> {
    return this.#cached.find(resource, key, this.#call(options));
  }

  list<R extends Resource>(resource: R, options?: ListOptions): Promise<KubeList<Stored<ObjectOf<R>>>> {
    return this.#cached.list(resource, this.#call(options));
  }

  byIndex<T extends KubeObject, K extends string>(
    index: Index<T, K>,
    key: NoInfer<K>,
    options?: IndexOptions,
  ): Promise<KubeList<Stored<T>>> {
    return this.#cached.byIndex(index, key, this.#call(options));
  }

  isServed(resource: Resource): boolean {
    return this.#cached.isServed(resource);
  }

  async create<R extends Resource>(
    resource: R,
    object: CreateObject<ObjectOf<R>>,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    this.#check(resource, object);
    return this.#wrote(resource, options, await this.#server.create(resource, object, this.#write(options)));
  }

  async update<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    this.#check(resource, object);
    return this.#wrote(resource, options, await this.#server.update(resource, object, this.#write(options)));
  }

  async updateStatus<R extends Resource>(
    resource: R,
    object: ObjectOf<R>,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    const answer = await this.#server.updateStatus(resource, object, this.#write(options));
    return this.#wrote(resource, options, answer);
  }

  async patch<R extends Resource>(
    resource: R,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<StoredCopy<ObjectOf<R>>> {
    const answer = await this.#server.patch(resource, key, patch, this.#write(options));
    const { subresource = 'status' } = options ?? {};
    // Only the status subresource returns the object itself. Other subresources return another kind, which does not update the cache.
    return subresource === 'status' ? this.#wrote(resource, options, answer) : answer;
  }

  mergePatch<R extends Resource>(
    resource: R,
    key: ObjectKey,
    change: MergePatch<ObjectOf<R>>,
    options?: WriteOptions & { readonly subresource?: 'status' },
  ): Promise<StoredCopy<ObjectOf<R>>> {
    return this.patch(resource, key, { type: 'merge', body: change }, options);
  }

  async apply<R extends Resource>(
    resource: R,
    object: ApplyObject<ObjectOf<R>>,
    options?: ApplyOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    this.#check(resource, object);
    const sent = this.#sent('apply', object.metadata, object, options);
    return this.#unlessUnchanged(resource, sent, options, () =>
      this.#server.apply(resource, object, this.#write(options)),
    );
  }

  async applyStatus<R extends Resource>(
    resource: R,
    key: ObjectKey,
    status: DeepPartial<NonNullable<StatusOf<ObjectOf<R>>>>,
    options?: ApplyOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    const sent = this.#sent('apply status', key, { status }, options);
    return this.#unlessUnchanged(resource, sent, options, async () => {
      const write = this.#write(options);
      // Uses `live`, which all runs share, because the result of the check is cached for each client.
      await assertConditionsAreAMap(this.#options.live, resource, key, status, write);
      return this.#server.applyStatus(resource, key, status, write);
    });
  }

  async mergeStatus<R extends Resource>(
    resource: R,
    key: ObjectKey,
    change: MergePatch<NonNullable<StatusOf<ObjectOf<R>>>>,
    options?: ApplyOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    // Imported on demand, because most controllers give the whole status each time.
    const { isMerged, nextStep } = await import('./merge-status.ts');
    const kind = this.#writes.kindOf(resource);
    const known = kind?.hasWhole(key) === true ? kind.get(key) : undefined;
    const { status } = (known ?? {}) as { readonly status?: unknown };
    if (known !== undefined && isMerged(change, status)) return mutableCopy(known) as StoredCopy<ObjectOf<R>>;
    const { fieldManager = '' } = this.#write(options);
    const read = () => this.live.subresource(resource, key, 'status').get<StoredCopy<ObjectOf<R>>>(options);
    let present = await read();
    for (let attempt = 1; ; attempt += 1) {
      const step = nextStep(present, fieldManager, change);
      if (step === undefined) return present;
      const { resourceVersion } = present.metadata;
      try {
        if (step.type === 'apply') {
          const status = step.status as DeepPartial<NonNullable<StatusOf<ObjectOf<R>>>>;
          return await this.applyStatus(resource, key, status, { ...options, resourceVersion });
        }
        const body = { metadata: { resourceVersion }, status: step.status };
        present = await this.patch(
          resource,
          key,
          { type: 'merge', body },
          { ...options, subresource: 'status' },
        );
        if (attempt === MODIFY_ATTEMPTS) return present;
      } catch (error) {
        // A conflict of field managers, which has causes, stays one.
        const isStale = isConflict(error) && (error.details?.causes ?? []).length === 0;
        if (!isStale || attempt === MODIFY_ATTEMPTS) throw error;
        present = await read();
      }
    }
  }

  async createOrUpdate<R extends Resource>(
    resource: R,
    key: ObjectKey,
    desired: (current: Stored<ObjectOf<R>> | undefined) => ApplyObject<ObjectOf<R>>,
    options?: WriteOptions,
  ): Promise<CreateOrUpdateResult<ObjectOf<R>>> {
    let current = await this.#present(resource, key, options);
    const applied = this.#appliedTo(resource, options);
    if (current === undefined) {
      const object = desired(undefined);
      try {
        const created = await this.create(resource, object, options);
        this.#remember(resource, this.#sent('update', key, object, options), created, undefined, options);
        return { object: created, operation: 'created' };
      } catch (error) {
        // Another client has created the object. If the cache already holds it, the retried reconcile finds it there; otherwise reads it
        // from the API server.
        if (!isAlreadyExists(error) || this.#writes.kindOf(resource)?.hasWhole(key) === true) throw error;
        current = await this.live.get(resource, key, options);
      }
    }
    const object = desired(current);
    const sent = this.#sent('update', key, object, options);
    const known = applied?.find(sent, current)?.shape;
    // Only an object that was read from the API server has managed fields; the cache removes them.
    const isRead = known === undefined && current.metadata.managedFields !== undefined;
    const shape = isRead ? sentShape(object, current, sent.fieldManager, undefined) : known;
    let merged = mergeDesired(current, object, shape?.atomic);
    const isDesired = merged === current && (shape !== undefined || !hasOtherFields(current, object));
    if (known === undefined ? isDesired : applied?.isUnchanged(sent, current) === true)
      return { object: current, operation: 'unchanged' };
    const version = current.metadata.resourceVersion;
    const put = async (next: unknown): Promise<StoredCopy<ObjectOf<R>>> => {
      this.#check(resource, next as ObjectOf<R>);
      const before = applied?.take(sent);
      const answer = await this.#server.update(resource, next as ObjectOf<R>, this.#write(options));
      this.#wrote(resource, options, answer);
      this.#remember(resource, sent, answer, before, options);
      return answer;
    };
    let answer = await put(merged);
    // If the answer shows that further maps are atomic, for example a selector, a second update replaces these maps.
    const atomic = applied?.find(sent, answer)?.shape.atomic ?? new Set<string>();
    const isNew = [...atomic].some((path) => shape?.atomic.has(path) !== true);
    merged = isNew ? mergeDesired(answer, object, atomic) : answer;
    if (merged !== answer) answer = await put(merged);
    const operation = answer.metadata.resourceVersion === version ? 'unchanged' : 'updated';
    return { object: answer, operation };
  }

  async modify<R extends Resource>(
    resource: R,
    key: ObjectKey,
    change: (draft: ObjectOf<R>) => void,
    options?: WriteOptions,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    let current: KubeObject | undefined = await this.#present(resource, key, options);
    for (let attempt = 1; ; attempt += 1) {
      if (current === undefined) throw objectNotFound(resource, key);
      const draft = mutableCopy(current) as StoredCopy<ObjectOf<R>>;
      change(draft);
      if (isDeepStrictEqual(draft, current)) return draft;
      try {
        return await this.update(resource, draft, options);
      } catch (error) {
        if (!isConflict(error) || attempt === MODIFY_ATTEMPTS) throw error;
        current = await this.live.find(resource, key, options);
      }
    }
  }

  async delete<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<DeleteResult<StoredCopy<ObjectOf<R>>>> {
    const result = await this.#server.delete(resource, key, this.#call(options));
    if (result.object !== undefined) this.#writes.wrote(resource, result.object);
    else if (result.uid !== undefined) this.#writes.removed(resource, key, result.uid);
    return result;
  }

  /** Returns the object to overwrite: from the cache if it holds the complete object, otherwise from the API server. */
  async #present<R extends Resource>(
    resource: R,
    key: ObjectKey,
    options: CallOptions | undefined,
  ): Promise<Stored<ObjectOf<R>> | undefined> {
    if (this.#writes.kindOf(resource)?.hasWhole(key) === true) return this.find(resource, key, options);
    return this.live.find(resource, key, options);
  }

  /** Sends a write and remembers the answer. Skips the write if it would change nothing. */
  async #unlessUnchanged<R extends Resource>(
    resource: R,
    sent: SentWrite,
    options: ApplyOptions | undefined,
    send: () => Promise<StoredCopy<ObjectOf<R>>>,
  ): Promise<StoredCopy<ObjectOf<R>>> {
    const applied = this.#appliedTo(resource, options);
    const kind = this.#writes.kindOf(resource);
    const live = kind?.hasWhole(sent.key) === true ? kind.get(sent.key) : undefined;
    if (live !== undefined && applied?.isUnchanged(sent, live) === true)
      return mutableCopy(live) as StoredCopy<ObjectOf<R>>;
    // Forgets the last write before sending, because even a failed request may have been processed.
    const before = applied?.take(sent);
    const answer = await send();
    this.#wrote(resource, options, answer);
    this.#remember(resource, sent, answer, before, options);
    return answer;
  }

  #sent(
    verb: SentWrite['verb'],
    { name, namespace }: ObjectKey,
    body: unknown,
    options: ApplyOptions | undefined,
  ): SentWrite {
    const fieldManager = options?.fieldManager ?? this.#options.fieldManager;
    return { key: { name, namespace }, verb, fieldManager, body };
  }

  /** Returns the remembered writes to objects of a kind; undefined for a dry run, and for a kind that is not in the cache. */
  #appliedTo(resource: Resource, options: WriteOptions | undefined): AppliedFields | undefined {
    return options?.dryRun === true ? undefined : this.#writes.kindOf(resource)?.applied;
  }

  #remember(
    resource: Resource,
    sent: SentWrite,
    answer: Stored<KubeObject>,
    before: Applied | undefined,
    options: WriteOptions | undefined,
  ): void {
    const kind = this.#writes.kindOf(resource);
    // Remembers the answer only for an object in the cache, because the cache would not notice the deletion of any other object.
    if (kind !== undefined && kind.get(sent.key)?.metadata.uid === answer.metadata.uid)
      this.#appliedTo(resource, options)?.remember(sent, answer, before);
  }

  #wrote<R extends Resource>(
    resource: R,
    options: WriteOptions | undefined,
    answer: StoredCopy<ObjectOf<R>>,
  ): StoredCopy<ObjectOf<R>> {
    if (options?.dryRun !== true) this.#writes.wrote(resource, answer);
    return answer;
  }

  #check(resource: Resource, object: object): void {
    const { owner } = this.#options;
    // The written value is part of an object, and the check uses only its metadata.
    if (owner !== undefined && 'metadata' in object)
      checkOwners(owner, resource, object as Pick<KubeObject, 'metadata'>);
  }

  #call<O extends CallOptions>(options: O | undefined): O {
    const signal = options?.signal ?? this.#options.signal;
    return { ...options, signal } as O;
  }

  #write<O extends WriteOptions>(options: O | undefined): O {
    const fieldManager = options?.fieldManager ?? this.#options.fieldManager;
    return { ...options, signal: options?.signal ?? this.#options.signal, fieldManager } as O;
  }
}
