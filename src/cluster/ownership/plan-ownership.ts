import type { ManagedFieldsEntry } from '../../sdk/api/index.ts';
import { FieldSet, fieldPathText, fieldSetFault, fieldStep } from '../../kubernetes/objects/index.ts';
import { isApplyOf, isUpdate, withFieldsTakenOver } from './take-over-fields.ts';
import { sameVersion, type WrittenVersion } from './written-versions.ts';

/** The parts of an object whose ownership is moved: the object itself, and its status. */
const parts = ['', 'status'] as const;
type Part = (typeof parts)[number];

/** Field managers that take over the fields of former managers. */
export interface Takers {
  /** Manager that applies the object itself; undefined if these fields stay where they are. */
  readonly object: string | undefined;
  /** Manager that applies its status. */
  readonly status: string;
}

/** Ownership of one part of an object that moves to another manager. Paths have the form `.spec.ports[port=80].name`. */
export interface OwnershipMove {
  /** `status` for the fields that were written through this subresource; absent for the object itself. */
  readonly subresource?: 'status';
  /** Former managers whose entries disappear. */
  readonly from: readonly string[];
  /** Manager that owns the fields afterwards, with the operation `Apply`. */
  readonly to: string;
  /** All fields that move. */
  readonly fields: readonly string[];
  /** Fields that no other manager owns, and that `to` has not applied yet. The next apply of `to` removes them unless it contains them. */
  readonly removable: readonly string[];
  /**
   * Fields without an owner after the move, because they were written in another API version than the fields of `to`. No apply removes
   * them.
   */
  readonly ownerless: readonly string[];
  /** API versions in which the ownerless fields were written. */
  readonly ownerlessVersions: readonly string[];
}

/** Managed fields of an object after the migration, and the differences from the present ones. */
export interface OwnershipPlan {
  readonly managedFields: readonly ManagedFieldsEntry[];
  /** Empty if nothing moves. */
  readonly moves: readonly OwnershipMove[];
}

/** Fields that stay with their former manager; see {@link planOwnership}. */
const finalizers = FieldSet.of([fieldStep('metadata'), fieldStep('finalizers')]);

/**
 * Returns the managed fields of an object after the fields that former managers own by update have moved to the managers that apply.
 *
 * Finalizers stay with the former manager, because an apply without them would remove them, and the object could be deleted without its
 * cleanup. Controllers add and remove finalizers by patches, which do not depend on the owner.
 *
 * @param entries `metadata.managedFields`, checked by {@link ownershipFault}
 * @param from names of the former managers
 * @param written determines the API versions of the entries that change
 */
export function planOwnership(
  entries: readonly ManagedFieldsEntry[],
  from: readonly string[],
  to: Takers,
  written: WrittenVersion = sameVersion,
): OwnershipPlan {
  let managedFields = entries;
  const moves: OwnershipMove[] = [];
  for (const part of parts) {
    const taker = part === 'status' ? to.status : to.object;
    if (taker === undefined) continue;
    const moved = movePart(managedFields, { from, to: taker, part, written });
    if (moved === undefined) continue;
    managedFields = moved.managedFields;
    moves.push(moved.move);
  }
  return { managedFields, moves };
}

function movePart(
  given: readonly ManagedFieldsEntry[],
  {
    from,
    to,
    part,
    written,
  }: {
    readonly from: readonly string[];
    readonly to: string;
    readonly part: Part;
    readonly written: WrittenVersion;
  },
): { readonly managedFields: readonly ManagedFieldsEntry[]; readonly move: OwnershipMove } | undefined {
  const isFormer = (entry: ManagedFieldsEntry): boolean =>
    isUpdate(entry, part) && from.includes(entry.manager ?? '');
  const entries = given.map((entry) =>
    entry.apiVersion !== undefined && (isFormer(entry) || isApplyOf(entry, to, part))
      ? { ...entry, apiVersion: written(entry.apiVersion) }
      : entry,
  );
  const split = entries.map((entry) => ({ entry, isFormer: isFormer(entry), ...splitFinalizers(entry) }));
  const former = split.filter((each) => each.isFormer && !each.movable.isEmpty);
  if (former.length === 0) return undefined;
  const kept = split.flatMap(({ entry, kept: left, isFormer: is }) => (is ? withFields(entry, left) : []));
  const movable = split.flatMap(({ entry, movable: fields, isFormer: is }) =>
    is ? withFields(entry, fields) : [entry],
  );
  const managedFields = [...withFieldsTakenOver(movable, from, to, part), ...kept];
  const applied = managedFields.find((entry) => isApplyOf(entry, to, part));
  const before = setsOf(entries.filter((entry) => !isFormer(entry)));
  const after = setsOf(managedFields);
  const isTaken = ({ entry }: { readonly entry: ManagedFieldsEntry }): boolean =>
    entry.apiVersion === applied?.apiVersion;
  const fields = union(former.filter(isTaken).map((each) => each.movable));
  const others = former.filter((each) => !isTaken(each));
  const dropped = union(others.map((each) => each.movable));
  const ownerless = texts(dropped.notIn(after));
  return {
    managedFields,
    move: {
      ...(part === '' ? {} : { subresource: part }),
      from: [...new Set(former.flatMap(({ entry }) => entry.manager ?? []))],
      to,
      fields: texts(fields),
      removable: texts(fields.notIn([...before, ...setsOf(kept)])),
      ownerless,
      ownerlessVersions:
        ownerless.length === 0
          ? []
          : [...new Set(others.flatMap(({ entry: { apiVersion = [] } }) => apiVersion))],
    },
  };
}

function splitFinalizers({ fieldsV1 }: ManagedFieldsEntry): {
  readonly movable: FieldSet;
  readonly kept: FieldSet;
} {
  const all = FieldSet.fromJson(fieldsV1);
  const movable = all.without(finalizers);
  return { movable, kept: all.difference(movable) };
}

/** Returns the entry with the given fields. Returns no entry if there are no fields, because the API server does not keep empty entries. */
function withFields(entry: ManagedFieldsEntry, fields: FieldSet): readonly ManagedFieldsEntry[] {
  return fields.isEmpty ? [] : [{ ...entry, fieldsV1: fields.toJson() }];
}

const setsOf = (entries: readonly ManagedFieldsEntry[]): readonly FieldSet[] =>
  entries.map(({ fieldsV1 }) => FieldSet.fromJson(fieldsV1));

const union = (sets: readonly FieldSet[]): FieldSet =>
  sets.reduce((all, each) => all.union(each), new FieldSet());

const texts = (set: FieldSet): readonly string[] => set.leaves().map(fieldPathText);

/**
 * Returns the reason why managed fields cannot be changed without loss: an entry has a form that op-sdk does not know. Undefined if op-sdk
 * knows the forms of all entries.
 */
export function ownershipFault(entries: readonly ManagedFieldsEntry[]): string | undefined {
  for (const { manager = '', operation, apiVersion, fieldsType, fieldsV1 } of entries) {
    const fault =
      operation !== 'Apply' && operation !== 'Update'
        ? `expected the operation Apply or Update, got ${JSON.stringify(operation) ?? 'none'}`
        : (apiVersion ?? '') === ''
          ? 'expected an apiVersion, got none'
          : fieldsType !== 'FieldsV1'
            ? `expected the fieldsType FieldsV1, got ${JSON.stringify(fieldsType) ?? 'none'}`
            : withPrefix('fieldsV1: ', fieldSetFault(fieldsV1 ?? {}));
    if (fault !== undefined) return `managedFields of ${JSON.stringify(manager)}: ${fault}`;
  }
  return undefined;
}

const withPrefix = (prefix: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `${prefix}${text}`;

/**
 * Describes entries of former managers that do not move, because they were written by apply, or through a subresource other than the
 * status: for example `manager by apply`.
 */
export function leftOwners(
  entries: readonly ManagedFieldsEntry[],
  from: readonly string[],
  to: Takers,
): readonly { readonly manager: string; readonly text: string }[] {
  const isTaker = (entry: ManagedFieldsEntry): boolean =>
    (to.object !== undefined && isApplyOf(entry, to.object)) || isApplyOf(entry, to.status, 'status');
  const left = new Map<string, { readonly manager: string; readonly text: string }>();
  for (const entry of entries) {
    const { manager = '', operation, subresource = '' } = entry;
    if (!from.includes(manager) || isTaker(entry)) continue;
    const isMoved = operation !== 'Apply' && (subresource === '' || subresource === 'status');
    if (isMoved) continue;
    const text = `${manager} ${operation === 'Apply' ? 'by apply' : `through ${subresource}`}`;
    left.set(text, { manager, text });
  }
  return [...left.values()];
}

/** Returns the names of the managers that own fields of an object by update. */
export function updatersOf(entries: readonly ManagedFieldsEntry[]): readonly string[] {
  return [
    ...new Set(entries.flatMap(({ operation, manager = '' }) => (operation === 'Update' ? manager : []))),
  ];
}
