import type { Clock } from '../../../sdk/net/index.ts';
import { objectOf, type JsonObject } from '../json.ts';
import type { ServedKind } from '../kinds/served-kind.ts';
import { invalidAnswer } from '../status-error.ts';
import { forbiddenValue } from '../field-error.ts';
import type { ObjectStore, StoredEvent } from '../store.ts';
import { inForm, type Form } from './form.ts';
import { checkRequestedVersions, inVersion } from './reader.ts';
import { collectionId, type ApiRequest } from './request.ts';
import { selection, type Test } from './selection.ts';

/** One line of a watch. */
export type Line = (type: string, object: JsonObject) => void;

export interface Watch {
  stop(): void;
}

/**
 * Begins a watch: what exists or has happened since a version, then each change.
 *
 * @param onEnd called when the time is over that the client has asked for
 * @throws StatusError
 */
export function watchObjects(
  store: ObjectStore,
  request: ApiRequest,
  form: Form,
  clock: Clock,
  send: Line,
  onEnd: () => void,
): Watch {
  const { kind, namespace, query } = request;
  const test = selection(kind, kind.namespaced ? namespace : '', query);
  const version = query.get('resourceVersion') ?? '';
  const sendsInitial = query.get('sendInitialEvents') === 'true';
  checkInitialEvents(query, sendsInitial);
  checkRequestedVersions(query, false, store.revision);
  const write: Line = (type, object) => send(type, inForm(object, form));
  const collection = store.collection(collectionId(kind));
  const onEvent = (event: StoredEvent): void => report(kind, event, test, write);
  if (sendsInitial || version === '' || version === '0') {
    for (const [, object] of store.list(collectionId(kind)))
      if (test(object)) write('ADDED', inVersion(kind, object));
    if (sendsInitial && query.get('allowWatchBookmarks') === 'true')
      write('BOOKMARK', bookmark(kind, store.revision, { 'k8s.io/initial-events-end': 'true' }));
  } else {
    for (const event of collection.history) if (event.revision > Number(version)) onEvent(event);
  }
  collection.listeners.add(onEvent);
  const timeout = Number(query.get('timeoutSeconds') ?? '0');
  const end = (): void => {
    stop();
    onEnd();
  };
  const cancel = timeout > 0 ? clock.after(timeout * 1000, end) : () => undefined;
  const stop = (): void => {
    cancel();
    collection.listeners.delete(onEvent);
  };
  return { stop };
}

/** Source: apimachinery `ValidateListOptions`. */
function checkInitialEvents(query: URLSearchParams, sendsInitial: boolean): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const listOptions = { group: 'meta.k8s.io', kind: 'ListOptions' };
  if (sendsInitial && match !== 'NotOlderThan')
    throw invalidAnswer(listOptions, '', [
      forbiddenValue(
        'resourceVersionMatch',
        'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      ),
    ]);
  if (!sendsInitial && match !== '')
    throw invalidAnswer(listOptions, '', [
      forbiddenValue(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    ]);
}

/** To a watch with a selector, an object that no longer matches is deleted. */
function report(kind: ServedKind, { type, object, before }: StoredEvent, test: Test, write: Line): void {
  const matches = type !== 'DELETED' && test(object);
  const matched = before !== undefined && test(before);
  if (matches) write(matched ? 'MODIFIED' : 'ADDED', inVersion(kind, object));
  else if (matched) {
    const { resourceVersion = '' } = objectOf(object['metadata']);
    // The state that it last matched in, with the version of now.
    const last =
      type === 'DELETED'
        ? object
        : { ...before, metadata: { ...objectOf(before['metadata']), resourceVersion } };
    write('DELETED', inVersion(kind, last));
  }
}

export function bookmark(
  { kind, apiVersion }: ServedKind,
  revision: number,
  annotations?: Readonly<Record<string, string>>,
): JsonObject {
  const metadata: JsonObject = {
    resourceVersion: String(revision),
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
  };
  return { kind, apiVersion, metadata };
}
