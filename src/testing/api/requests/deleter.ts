import {
  unsupportedValue,
  listOf,
  objectOf,
  type JsonObject,
  foregroundFinalizer,
  orphanFinalizer,
} from '../../../kubernetes/objects/index.ts';
import { isEqualJson, jsonTextOf } from '../../../base/util/json-map.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { conflict, invalidAnswer, notFound } from '../status-error.ts';
import type { ObjectStore } from '../store.ts';
import { inVersion } from './reader.ts';
import { collectionId, isDryRun, objectKey, type ApiRequest, selection } from './route.ts';
import { seconds, withWarnings } from './write-parts.ts';
import type { Answer } from './writer.ts';

interface Options {
  readonly policy: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
}

/** Deletes objects. Source: apiserver `registry/generic/registry/store.go`, `Delete`. */
export class Deleter {
  readonly #store: ObjectStore;
  readonly #today: () => Date;

  constructor(store: ObjectStore, today: () => Date) {
    this.#store = store;
    this.#today = today;
  }

  delete(request: ApiRequest): Answer {
    const options = optionsOf(request);
    const { kind, namespace, name } = request;
    const { deletionWarning } = kind.builtIn ?? {};
    const warnings = deletionWarning === undefined || options.policy !== undefined ? [] : [deletionWarning];
    const { object, isGone } = withWarnings(warnings, () =>
      this.#deleteOne(kind, kind.namespaced ? namespace : '', name, options),
    );
    if (!isGone || kind.builtIn?.returnsDeleted === true)
      return { status: 200, body: inVersion(kind, object), warnings };
    const uid = jsonTextOf(objectOf(object['metadata'])['uid']);
    const details: JsonObject = {
      name,
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.plural,
      uid,
    };
    return {
      status: 200,
      body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details },
      warnings,
    };
  }

  /** Deletes all objects that a query selects, and responds with their list. */
  deleteCollection(request: ApiRequest): Answer {
    const options = optionsOf(request);
    const { kind, namespace, query } = request;
    const test = selection(kind, kind.namespaced ? namespace : '', query);
    const found = this.#store.list(collectionId(kind)).filter(([, object]) => test(object));
    const revision = this.#store.revision;
    const items = found.map(([, object]) => {
      const metadata = objectOf(object['metadata']);
      this.#deleteOne(kind, jsonTextOf(metadata['namespace']), jsonTextOf(metadata['name']), options);
      return inVersion(kind, object);
    });
    const metadata: JsonObject = {
      ...(kind.builtIn === undefined ? { continue: '' } : {}),
      resourceVersion: String(revision),
    };
    return { status: 200, body: { kind: kind.listKind, apiVersion: kind.apiVersion, metadata, items } };
  }

  /** Deletes an object as the garbage collector does. */
  collect(kind: ServedKind, object: JsonObject, policy: string | undefined): void {
    const { namespace = '', name = '', uid } = objectOf(object['metadata']);
    const options = {
      policy,
      uid: jsonTextOf(uid),
      resourceVersion: undefined,
      dryRun: false,
      gracePeriodSeconds: undefined,
    };
    this.#deleteOne(kind, jsonTextOf(namespace), jsonTextOf(name), options);
  }

  #deleteOne(
    kind: ServedKind,
    namespace: string,
    name: string,
    options: Options,
  ): { readonly object: JsonObject; readonly isGone: boolean } {
    const id = collectionId(kind);
    const key = objectKey(namespace, name);
    const live = this.#store.get(id, key);
    if (live === undefined) throw notFound(kind, name);
    const metadata = objectOf(live['metadata']);
    checkPreconditions(kind, name, metadata, options);
    const found = listOf(metadata['finalizers']).map(jsonTextOf);
    const own = kind.builtIn?.deletionPolicy;
    const finalizers = finalizersFor(
      found,
      own === 'Unsupported' ? 'Background' : (options.policy ?? (hasPolicy(found) ? undefined : own)),
    );
    const grace = kind.builtIn?.gracePeriod?.(live, options.gracePeriodSeconds) ?? 0;
    const isNamespace = kind.group === '' && kind.plural === 'namespaces';
    if (finalizers.length === 0 && grace === 0 && !(isNamespace && hasSpecFinalizers(live))) {
      const ended =
        kind.builtIn?.gracePeriod === undefined ? undefined : this.#marked(live, [], isNamespace, 0);
      if (options.dryRun) return { object: ended ?? live, isGone: true };
      const last = ended === undefined ? undefined : this.#store.put(id, key, ended);
      const removed = this.#store.remove(id, key) ?? live;
      return { object: last ?? removed, isGone: true };
    }
    const marked = this.#marked(live, finalizers, isNamespace, grace);
    if (options.dryRun || marked === live) return { object: marked, isGone: false };
    return { object: this.#store.put(id, key, marked), isGone: false };
  }

  #marked(live: JsonObject, finalizers: readonly string[], isNamespace: boolean, grace: number): JsonObject {
    const before = objectOf(live['metadata']);
    const isMarked = before['deletionTimestamp'] !== undefined;
    const isSame = isEqualJson(before['finalizers'] ?? [], [...finalizers]);
    const old = Number(before['deletionGracePeriodSeconds'] ?? 0);
    if (isMarked && isSame && grace >= old) return live;
    const metadata: JsonObject = { ...before };
    if (isMarked && grace < old) {
      const began = Date.parse(jsonTextOf(before['deletionTimestamp'])) - old * 1000;
      metadata['deletionTimestamp'] = seconds(new Date(began + grace * 1000));
      metadata['deletionGracePeriodSeconds'] = grace;
    }
    if (finalizers.length > 0) metadata['finalizers'] = [...finalizers];
    if (!isMarked) {
      metadata['deletionTimestamp'] = seconds(new Date(this.#today().getTime() + grace * 1000));
      if (!isNamespace) metadata['deletionGracePeriodSeconds'] = grace;
      if (typeof before['generation'] === 'number' && before['generation'] > 0)
        metadata['generation'] = before['generation'] + 1;
    }
    return isNamespace
      ? { ...live, metadata, status: { ...objectOf(live['status']), phase: 'Terminating' } }
      : { ...live, metadata };
  }
}

const hasPolicy = (finalizers: readonly string[]): boolean =>
  finalizers.includes(orphanFinalizer) || finalizers.includes(foregroundFinalizer);

function hasSpecFinalizers({ spec }: JsonObject): boolean {
  return listOf(objectOf(spec)['finalizers']).length > 0;
}

function checkPreconditions(
  kind: ServedKind,
  name: string,
  metadata: JsonObject,
  { uid, resourceVersion }: Options,
): void {
  const foundUid = jsonTextOf(metadata['uid']);
  const foundVersion = jsonTextOf(metadata['resourceVersion']);
  const target = { group: kind.group, plural: kind.kind };
  if (uid !== undefined && uid !== foundUid)
    throw conflict(
      target,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${foundUid}). The object might have been deleted and then recreated`,
    );
  if (resourceVersion !== undefined && resourceVersion !== foundVersion)
    throw conflict(
      target,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${foundVersion}). The object might have been modified`,
    );
}

/**
 * Replaces the garbage collector's finalizers by those that the deletion policy requires. Without a policy, the existing finalizers stay.
 */
function finalizersFor(finalizers: readonly string[], policy: string | undefined): readonly string[] {
  const others = finalizers.filter((each) => each !== orphanFinalizer && each !== foregroundFinalizer);
  const own =
    policy === undefined
      ? finalizers.filter((each) => !others.includes(each))
      : policy === 'Orphan'
        ? [orphanFinalizer]
        : policy === 'Foreground'
          ? [foregroundFinalizer]
          : [];
  const wanted = [...others, ...own];
  const isSame = wanted.length === finalizers.length && wanted.every((each) => finalizers.includes(each));
  return isSame ? finalizers : wanted;
}

/**
 * Reads the delete options of a request.
 * @throws StatusError 422 for an unknown deletion policy
 */
function optionsOf(request: ApiRequest): Options {
  const body = objectOf(request.body);
  const preconditions = objectOf(body['preconditions']);
  const given = body['propagationPolicy'] ?? request.query.get('propagationPolicy') ?? undefined;
  const policy =
    body['orphanDependents'] === true ? 'Orphan' : body['orphanDependents'] === false ? 'Background' : given;
  if (policy !== undefined && !['Orphan', 'Background', 'Foreground'].includes(policy as string)) {
    throw invalidAnswer({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
      unsupportedValue('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']),
    ]);
  }
  const grace = body['gracePeriodSeconds'] ?? request.query.get('gracePeriodSeconds');
  const optional = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    policy: optional(policy),
    uid: optional(preconditions['uid']),
    resourceVersion: optional(preconditions['resourceVersion']),
    dryRun: isDryRun(request) || listOf(body['dryRun']).includes('All'),
    gracePeriodSeconds: typeof grace === 'number' ? grace : grace === null ? undefined : Number(grace),
  };
}
