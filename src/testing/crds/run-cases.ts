import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../base/errors/index.ts';
import { isJsonMap, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { externalResource, type KubeObject, type Resource } from '../../sdk/api/index.ts';
import type { CrdDocument } from '../../kubernetes/crd/index.ts';
import { ApiError, isNotFound, type WriteOptions, type Writer } from '../../sdk/kube/index.ts';
import type { CrdCase, ExpectedRefusal } from './read-cases.ts';

/** A reason for which the API server refuses an object. */
export interface Cause {
  /** Path of the field; undefined if the whole object is refused. */
  readonly field: string | undefined;
  readonly message: string;
}

/** Outcome of a case. */
export interface CaseResult {
  readonly case: CrdCase;
  /** Each expectation that was not met; none if the case passes. */
  readonly problems: readonly string[];
  /** Reasons that the API server gave for a refusal; none if it accepted the object. */
  readonly causes: readonly Cause[];
}

/** Client with which cases are run. */
export type CaseClient = Pick<Writer, 'create' | 'update' | 'updateStatus' | 'patch' | 'delete'>;

/** A kind whose cases are run: its definition with one version alone, and its token. */
export interface CaseKind {
  readonly definition: CrdDocument;
  readonly resource: Resource;
  readonly hasStatus: boolean;
}

/** Cases of one kind. */
export interface KindCases {
  readonly kind: CaseKind;
  readonly cases: readonly CrdCase[];
}

/** Returns the kinds of definitions by `apiVersion kind`. Each has a definition that stores and serves its version, without conversion. */
export function caseKinds(definitions: readonly CrdDocument[]): ReadonlyMap<string, CaseKind> {
  return new Map(
    definitions.flatMap((definition) => {
      const { group, names, scope, versions } = definition.spec;
      return versions.map((version): [string, CaseKind] => {
        const resource = externalResource<KubeObject>({
          ...{ group, version: version.name, kind: names.kind, plural: names.plural },
          scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
        });
        const alone = { ...version, served: true, storage: true };
        const { conversion: _, ...spec } = definition.spec;
        return [
          `${resource.apiVersion} ${names.kind}`,
          {
            definition: { ...definition, spec: { ...spec, versions: [alone] } },
            ...{ resource, hasStatus: version.subresources?.status !== undefined },
          },
        ];
      });
    }),
  );
}

/** Runs a case, and removes its object. */
export async function runCase(client: CaseClient, kind: CaseKind, test: CrdCase): Promise<CaseResult> {
  const { resource } = kind;
  const first = placed(test.from ?? test.object, resource);
  try {
    let answer = await attempt(() => create(client, kind, first, test.pruned.length > 0));
    if (test.from !== undefined) {
      if (answer.object === undefined) return result(test, ['`from` is refused'], answer.causes);
      const before = answer.object;
      answer = await attempt(() => update(client, kind, before, placed(test.object, resource)));
    }
    return result(test, problemsOf(test, answer), answer.causes);
  } finally {
    await remove(client, resource, first);
  }
}

function result(test: CrdCase, problems: readonly string[], causes: readonly Cause[]): CaseResult {
  return { case: test, problems, causes };
}

/** Gives an object a name and a namespace in which it can be created. A case may choose the name, since rules can read it. */
function placed(object: JsonMap, { namespaced }: Resource): KubeObject {
  const { namespace: _, ...metadata } = jsonMapOf(object['metadata']);
  const place = namespaced ? { namespace: 'default' } : {};
  return { ...object, metadata: { name: 'case', ...metadata, ...place } } as unknown as KubeObject;
}

interface Answer {
  /** The object as it is stored; undefined if it was refused. */
  readonly object: KubeObject | undefined;
  readonly causes: readonly Cause[];
}

async function attempt(write: () => Promise<KubeObject>): Promise<Answer> {
  try {
    return { object: await write(), causes: [] };
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 422 && error.status !== 400)) throw error;
    return { object: undefined, causes: causesOf(error) };
  }
}

/** Creates an object, and its status if the kind has the subresource. */
async function create(
  client: CaseClient,
  kind: CaseKind,
  object: KubeObject,
  dropsUnknown: boolean,
): Promise<KubeObject> {
  const options = dropsUnknown ? { fieldValidation: 'Ignore' as const } : {};
  const made = await client.create(kind.resource, object, options);
  return writeStatus(client, kind, { made, status: statusOf(object) }, options);
}

async function update(
  client: CaseClient,
  kind: CaseKind,
  before: KubeObject,
  object: KubeObject,
): Promise<KubeObject> {
  const { resourceVersion, uid } = before.metadata;
  const metadata = { ...object.metadata, name: before.metadata.name, resourceVersion, uid };
  const made = await client.update(kind.resource, { ...object, metadata });
  return writeStatus(client, kind, { made, status: statusOf(object) });
}

function statusOf(object: KubeObject): unknown {
  return (object as { readonly status?: unknown }).status;
}

/** Writes the status of an object that has just been written, if there is one and the kind has the subresource. */
async function writeStatus(
  client: CaseClient,
  { resource, hasStatus }: CaseKind,
  { made, status }: { readonly made: KubeObject; readonly status: unknown },
  options: WriteOptions = {},
): Promise<KubeObject> {
  if (!hasStatus || status === undefined) return made;
  const whole: KubeObject & { status: unknown } = { ...made, status };
  return client.updateStatus(resource, whole, options);
}

async function remove(client: CaseClient, resource: Resource, { metadata }: KubeObject): Promise<void> {
  const key = { name: metadata.name, namespace: metadata.namespace };
  try {
    if ((metadata.finalizers ?? []).length > 0)
      await client.patch(resource, key, { type: 'merge', body: { metadata: { finalizers: null } } });
    await client.delete(resource, key);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Message of the API server for fields that no schema has. Source: apimachinery `runtime.NewStrictDecodingError`. */
const unknownField = /unknown field "([^"]*)"/g;

function causesOf({ details, serverMessage }: ApiError): readonly Cause[] {
  const unknown = [...serverMessage.matchAll(unknownField)].map(([message, field]) => ({ field, message }));
  if (unknown.length > 0) return unknown;
  const causes = (details?.causes ?? []).map(({ field, message = '' }) => ({
    field: field === '<nil>' || field === '' ? undefined : field,
    message,
  }));
  return causes.length > 0 ? causes : [{ field: undefined, message: serverMessage }];
}

function problemsOf({ refusal, stored, pruned, object }: CrdCase, answer: Answer): readonly string[] {
  if (refusal !== undefined)
    return answer.object !== undefined
      ? [`expected a refusal${refusalText(refusal)}, got none: the object is valid`]
      : answer.causes.some((cause) => fits(cause, refusal))
        ? []
        : [`expected a refusal${refusalText(refusal)}, got another one`];
  if (answer.object === undefined) return ['expected a valid object, but it is refused'];
  const whole: unknown = answer.object;
  return [
    ...(stored === undefined ? [] : differences(stored, whole, '')),
    ...pruned.flatMap((path) =>
      valueAt(object, path) === undefined
        ? [`${path}: expected to be dropped, but the case does not send it`]
        : valueAt(whole, path) !== undefined
          ? [`${path}: expected to be dropped, got ${JSON.stringify(valueAt(whole, path))}`]
          : [],
    ),
  ];
}

function fits(cause: Cause, { field, message }: ExpectedRefusal): boolean {
  return (field === undefined || cause.field === field) && cause.message.includes(message ?? '');
}

function refusalText({ field, message }: ExpectedRefusal): string {
  const parts = [
    ...(field === undefined ? [] : [`of ${field}`]),
    ...(message === undefined ? [] : [`with ${JSON.stringify(message)}`]),
  ];
  return ` ${parts.join(' ')}`;
}

/** Returns the differences between an object and its expected part. Lists are compared as a whole. */
function differences(expected: unknown, actual: unknown, path: string): readonly string[] {
  if (isJsonMap(expected) && isJsonMap(actual))
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, actual[key], path === '' ? key : `${path}.${key}`),
    );
  if (isDeepStrictEqual(expected, actual)) return [];
  const got = actual === undefined ? 'nothing' : JSON.stringify(actual);
  return [`${path}: expected ${JSON.stringify(expected)}, got ${got}`];
}

function valueAt(object: unknown, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .reduce<unknown>(
      (value, step) =>
        Array.isArray(value) ? (value as readonly unknown[])[Number(step)] : jsonMapOf(value)[step],
      object,
    );
}

/** Returns the outcome of a case that could not be run. */
export function notRun(test: CrdCase, error: unknown): CaseResult {
  return result(test, [messageOf(error)], []);
}
