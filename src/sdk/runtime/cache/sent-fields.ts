import { isJsonMap } from '../../../base/util/json-map.ts';
import type { KubeObject } from '../../api/index.ts';
import type { CachedObject } from './store.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that one manager owns, in the format of `fieldsV1`. */
interface Owned {
  readonly manager: string | undefined;
  readonly fields: Fields;
}

/**
 * Describes how the server stores the sent fields, as far as an answer shows it. A field is identified by its path from the root of the
 * object, an item of a list by its position.
 */
export interface SentShape {
  /** Paths of atomic maps and lists, which each writer replaces completely. */
  readonly atomic: ReadonlySet<string>;
  /** Paths of granular maps and lists that were sent empty or as null. Other managers may add parts to them and own these parts. */
  readonly shared: ReadonlySet<string>;
  /** True if the stored object lacks a sent field. An example is `stringData` of a Secret, which the server stores in another field. */
  readonly isOpaque: boolean;
}

const none: ReadonlySet<string> = new Set();

/** Granular maps, whose fields the server tracks separately, in every kind and regardless of the sent value. */
const granular: ReadonlySet<string> = new Set(
  [
    ['metadata', 'labels'],
    ['metadata', 'annotations'],
  ].map((path) => path.reduce(pathOf, '')),
);
const metadataPath = pathOf('', 'metadata');

/** Returns the path of a field in a map, or of an item in a list. */
export function pathOf(path: string, key: string | number): string {
  return `${path}\0${key}`;
}

/**
 * Derives from the answer to a write how the server stores the sent fields. In `metadata.managedFields`, an atomic map or list has no
 * entries below it, and a granular one has an entry for each part. If a map or list was sent empty, it has no entries in either case until
 * another manager adds a part. Until an answer shows such parts, it is compared as one value.
 *
 * @param manager the sender
 * @param before the known shape of the same object
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
      // A sent zero value may be missing in the answer, because Go omits fields with the zero value of their type.
      isOpaque ||= part !== false && part !== 0 && part !== '';
      return;
    }
    if (typeof part !== 'object') return;
    if (owners.length > 0 && owners.every(isLeaf)) atomic.add(path);
    if (Array.isArray(part)) visitItems(part, value, owners, path);
    else visitFields(part as Fields, value, owners, path);
  };
  const visitFields = (part: Fields, value: unknown, owners: readonly Owned[], path: string): void => {
    // The fields that name the object have no owner, so the metadata may have no owner, either.
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
    // Sent and stored items can be matched by position only if no other manager has added an item.
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
 * Returns the values of the sent fields in an object, as text. If the write leaves one state of an object unchanged, it leaves each state
 * with the same text unchanged. In granular maps only the sent fields are compared. All other values are compared completely, because items
 * of lists may have been reordered, or added by other managers.
 */
export function sentFieldsText(sent: unknown, object: CachedObject, shape: SentShape): string {
  const fields = fieldsOf(sent, object, shape, '');
  return JSON.stringify(shape.isOpaque ? [fields, rest(sent, object)] : fields);
}

function fieldsOf(sent: unknown, value: unknown, shape: SentShape, path: string): unknown {
  // If a granular map was sent empty, the writer owns only its existence. For labels and annotations, an empty map equals an absent one.
  const isShared = isEmpty(sent) && shape.shared.has(path);
  if (isShared && (granular.has(path) || (typeof value === 'object' && value !== null))) return 0;
  const isParted = isJsonMap(sent) && Object.keys(sent).length > 0 && !shape.atomic.has(path);
  if (!isParted || !isJsonMap(value)) return value ?? null;
  return Object.entries(sent).map(([key, part]) =>
    part === undefined ? 0 : fieldsOf(part, fieldOf(value, key), shape, pathOf(path, key)),
  );
}

/** Returns an object without the metadata fields that change with every write. Contains the status only if it was sent. */
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

/**
 * Returns the owners of the fields of a list item. The key of an item in `fieldsV1` has the form `k:{"name":"web"}`. Source:
 * structured-merge-diff `fieldpath`.
 */
function ownersOfItem(owners: readonly Owned[], item: unknown): readonly Owned[] {
  const steps = new Set(owners.flatMap(({ fields }) => Object.keys(fields)));
  const step = [...steps].find((each) => each.startsWith('k:') && hasKeys(item, each.slice(2)));
  return step === undefined ? [] : childrenOf(owners, step);
}

/** Returns true if an item of a list has the keys of a step of `fieldsV1`, such as `{"type":"Ready"}`. */
export function hasKeys(item: unknown, text: string): boolean {
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

/** Returns true if an entry of `fieldsV1` covers a field without entries for the parts of that field. */
function isLeaf({ fields }: Owned): boolean {
  return Object.keys(fields).every((step) => step === '.');
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && !isEmpty(value);
}

/** Reads an own property of an object, not an inherited one. */
function fieldOf(value: Fields, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
