import type { Clock } from '../../sdk/net/index.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { GarbageCollector } from './garbage-collector.ts';
import type { KindRegistry } from './kinds/registry.ts';
import type { CelMode } from './objects/strategy.ts';
import { Deleter } from './requests/deleter.ts';
import { formOf, inForm, type Form } from './requests/form.ts';
import { Namespaces } from './requests/namespaces.ts';
import { getObject, inVersion, listObjects } from './requests/reader.ts';
import type { ApiRequest } from './requests/request.ts';
import { answerScale } from './requests/scale.ts';
import { watchObjects, type Line, type Watch } from './requests/watcher.ts';
import { Writer, type Answer } from './requests/writer.ts';
import { noSuchResource, notFound } from './status-error.ts';
import { ObjectStore } from './store.ts';
import { unsupportedHere } from './unsupported.ts';

export interface ServerOptions {
  readonly kinds: KindRegistry;
  readonly cel: CelMode;
  readonly clock: Clock;
  readonly today: () => Date;
}

/** The API server in memory: answers requests for objects; `collectGarbage` does what the garbage collector does. */
export class Server {
  readonly store = new ObjectStore();
  readonly kinds: KindRegistry;
  readonly #clock: Clock;
  readonly #writer: Writer;
  readonly #deleter: Deleter;
  readonly #collector: GarbageCollector;

  constructor({ kinds, cel, clock, today }: ServerOptions) {
    const namespaces = new Namespaces(this.store);
    this.kinds = kinds;
    this.#clock = clock;
    this.#writer = new Writer({ store: this.store, namespaces, cel, today });
    this.#deleter = new Deleter(this.store, today);
    this.#collector = new GarbageCollector(this.store, kinds, this.#deleter, namespaces, today);
  }

  /** @throws StatusError, OpSdkError `testapi/unsupported` */
  answer(request: ApiRequest): Answer {
    checkQuery(request);
    const form = formOf(request.headers['accept']);
    const answer = this.#answer(request, form);
    const { kind } = request;
    const isList = request.verb === 'list' || request.verb === 'deletecollection';
    if (isList || form === 'whole' || answer.body['kind'] !== kind.kind)
      return { ...answer, body: ordered(answer.body) };
    return { ...answer, body: inForm(inVersion(kind, answer.body), form) };
  }

  #answer(request: ApiRequest, form: Form): Answer {
    const { verb, subresource, kind } = request;
    if (subresource === 'scale') return answerScale(this.store, this.#writer, request);
    if (subresource !== undefined && subresource !== 'status')
      throw unsupportedHere(`${kind.plural}/${subresource}`);
    if (subresource === 'status' && !kind.hasStatus)
      throw kind.builtIn === undefined ? notFound(kind, request.name) : noSuchResource();
    switch (verb) {
      case 'get':
        return { status: 200, body: getObject(this.store, request) };
      case 'list':
        return { status: 200, body: listObjects(this.store, request, form) };
      case 'create':
        return this.#writer.create(request);
      case 'update':
        return this.#writer.update(request);
      case 'patch':
        return this.#writer.patch(request);
      case 'apply':
        return this.#writer.apply(request);
      case 'delete':
        return this.#deleter.delete(request);
      case 'deletecollection':
        return this.#deleter.deleteCollection(request);
      case 'watch':
        throw new TypeError('a watch is a stream');
    }
  }

  /** @throws StatusError, OpSdkError `testapi/unsupported` */
  watch(request: ApiRequest, send: Line, onEnd: () => void): Watch {
    const form = formOf(request.headers['accept']);
    return watchObjects(this.store, request, form, this.#clock, send, onEnd);
  }

  /** Collects until nothing changes. @returns whether anything has changed */
  collectGarbage(): boolean {
    let changed = false;
    while (this.#collector.run()) changed = true;
    return changed;
  }
}

/** @throws OpSdkError for parameters that would change the answer in a way that this server does not know */
function checkQuery({ query }: ApiRequest): void {
  for (const name of ['shardSelector', 'ignoreStoreReadErrorWithClusterBreakingPotential'])
    if (query.has(name)) throw unsupportedHere(`the parameter ${name}`);
}

/** As the server writes an object: what it is comes first. */
function ordered(body: JsonObject): JsonObject {
  const { kind, apiVersion, metadata, ...rest } = body;
  const first: Record<string, Json | undefined> = { kind, apiVersion, metadata };
  const head = Object.fromEntries(
    Object.entries(first).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
  return isJsonObject(head) ? { ...head, ...rest } : body;
}
