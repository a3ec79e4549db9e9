import { isJsonMap } from '../../../base/util/json-map.ts';
import type { KubeObject } from '../../api/index.ts';
import type { CachedObject } from './store.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of one manager, as `fieldsV1` writes them. */
interface Owned {
  readonly manager: string | undefined;
  readonly fields: Fields;
}

/**
 * The form in which the server keeps the fields that were sent, as far as an answer shows it. Fields are named by their path from the object,
 * items of lists by their position.
 */
export interface SentShape {
  /** Maps and lists that are one value: whoever writes one replaces all of it. */
  readonly atomic: ReadonlySet<string>;
  /** Maps and lists that were sent empty, or as null, to which others may add: their parts belong to others. */
  readonly shared: ReadonlySet<string>;
  /** True if the object lacks something that was sent, such as the `stringData` of a Secret: its effect is somewhere else in the object. */
  readonly isOpaque: boolean;
}

const none: ReadonlySet<string> = new Set();

/** Maps of every kind that are granular, whatever was sent of them. */
const granular: ReadonlySet<string> = new Set(
  [
    ['metadata', 'labels'],
    ['metadata', 'annotations'],
  ].map((path) => path.reduce(pathOf, '')),
);
const metadataPath = pathOf('', 'metadata');

/** The path of a field, or of an item of a list. */
export function pathOf(path: string, key: string | number): string {
  return `${path}\0${key}`;
}

/**
 * Reads from the answer to a write how the server keeps what was sent. In `metadata.managedFields` a map or list that is one value has no
 * entries below it; one that several may add to has an entry for each part. So has, until somebody adds to it, neither of them if it was
 * sent empty: that is compared as one value, and is known once an answer has parts of others in it.
 *
 * @param manager who sent it
 * @param before what was known of the same object
 */
export function sentShape(
  sent: unknown,
  answer: CachedObject,
  manager: string,
  before: SentShape | undefined,
): SentShape {
  const atomic = new Set<string>();
  const shared = new Set<string>();
  let isOpaque = false;

  const visit = (part: unknown, value: unknown, owners: readonly Owned[], path: string): void => {
    if (part === undefined) return;
    if (isEmpty(part)) {
      if (owners.some((owner) => !isLeaf(owner))) shared.add(path);
      // With parts of its own: defaults have no owner.
      else if (isFilled(value) && owners.some((owner) => owner.manager !== manager)) atomic.add(path);
      else if (before?.shared.has(path) === true) shared.add(path);
      return;
    }
    if (value === undefined || value === null) {
      // Go leaves out what has the zero value of its type.
      isOpaque ||= part !== false && part !== 0 && part !== '';
      return;
    }
    if (typeof part !== 'object') return;
    if (owners.length > 0 && owners.every(isLeaf)) atomic.add(path);
    if (Array.isArray(part)) visitItems(part, value, owners, path);
    else visitFields(part as Fields, value, owners, path);
  };
  const visitFields = (part: Fields, value: unknown, owners: readonly Owned[], path: string): void => {
    // Names have no owner, and so the metadata may have none.
    const isKnown = owners.length > 0 || path === '' || path === metadataPath || isWithin(atomic, path);
    if (!isJsonMap(value) || !isKnown) isOpaque = true;
    else
      for (const [key, field] of Object.entries(part))
        visit(field, fieldOf(value, key), childrenOf(owners, `f:${key}`), pathOf(path, key));
  };
  const visitItems = (
    part: readonly unknown[],
    value: unknown,
    owners: readonly Owned[],
    path: string,
  ): void => {
    if (!part.some((item) => typeof item === 'object')) return;
    // Which item is which is known only while nobody has added one.
    if (!Array.isArray(value) || value.length !== part.length) isOpaque = true;
    else
      part.forEach((item, i) => {
        visit(item, value[i], ownersOfItem(owners, value[i]), pathOf(path, i));
      });
  };

  const owners = (answer.metadata.managedFields ?? []).flatMap((entry) => {
    const { apiVersion = answer.apiVersion, fieldsV1: fields } = entry;
    return fields === undefined || apiVersion !== answer.apiVersion
      ? []
      : [{ manager: entry.manager, fields }];
  });
  visit(sent, answer, owners, '');
  for (const path of granular) shared.add(path);
  const isUsual = shared.size === granular.size;
  return { atomic: atomic.size === 0 ? none : atomic, shared: isUsual ? granular : shared, isOpaque };
}

/**
 * The values that an object has in the fields that were sent, as text: two objects with the same text would be left as they are by the same
 * write. A map that others may add to is compared by the fields that were sent, anything else whole: items of lists may have
 * been reordered or joined by others.
 */
export function sentFieldsText(sent: unknown, object: CachedObject, shape: SentShape): string {
  const fields = fieldsOf(sent, object, shape, '');
  return JSON.stringify(shape.isOpaque ? [fields, rest(sent, object)] : fields);
}

function fieldsOf(sent: unknown, value: unknown, shape: SentShape, path: string): unknown {
  // Of a map with several owners, only that it is there is the writer's; an empty one of the metadata is as none.
  const isShared = isEmpty(sent) && shape.shared.has(path);
  if (isShared && (granular.has(path) || (typeof value === 'object' && value !== null))) return 0;
  const isParted = isJsonMap(sent) && Object.keys(sent).length > 0 && !shape.atomic.has(path);
  if (!isParted || !isJsonMap(value)) return value ?? null;
  return Object.entries(sent).map(([key, part]) =>
    part === undefined ? 0 : fieldsOf(part, fieldOf(value, key), shape, pathOf(path, key)),
  );
}

/** All of an object but what changes with every write; its status only if that was sent. */
function rest(sent: unknown, { metadata, ...object }: KubeObject & { readonly status?: unknown }): object {
  const { resourceVersion: _, generation: __, managedFields: ___, ...kept } = metadata;
  const hasStatus = isJsonMap(sent) && sent['status'] !== undefined;
  return { ...object, metadata: kept, status: hasStatus ? object.status : undefined };
}

function childrenOf(owners: readonly Owned[], step: string): readonly Owned[] {
  return owners.flatMap(({ manager, fields }) => {
    const child = fields[step];
    return isJsonMap(child) ? [{ manager, fields: child }] : [];
  });
}

/** Steps into an item are `k:{"name":"web"}`. Source: structured-merge-diff `fieldpath`. */
function ownersOfItem(owners: readonly Owned[], item: unknown): readonly Owned[] {
  const steps = new Set(owners.flatMap(({ fields }) => Object.keys(fields)));
  const step = [...steps].find((each) => each.startsWith('k:') && hasKeys(item, each.slice(2)));
  return step === undefined ? [] : childrenOf(owners, step);
}

function hasKeys(item: unknown, text: string): boolean {
  const keys: unknown = JSON.parse(text);
  return (
    isJsonMap(item) && isJsonMap(keys) && Object.entries(keys).every(([key, value]) => item[key] === value)
  );
}

function isWithin(paths: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('\0', end - 1))
    if (paths.has(path.slice(0, end))) return true;
  return false;
}

/** An entry that says of a field that it is owned, and nothing of its parts. */
function isLeaf({ fields }: Owned): boolean {
  return Object.keys(fields).every((step) => step === '.');
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && !isEmpty(value);
}

/** Without what every object inherits. */
function fieldOf(value: Fields, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
