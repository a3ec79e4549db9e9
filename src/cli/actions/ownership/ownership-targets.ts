import {
  kindText,
  selectKinds,
  selectionText,
  type KindSelection,
  type OwnershipTarget,
  type Takers,
} from '../../../cluster/index.ts';
import { FindingList, type Finding } from '../../../base/errors/index.ts';
import type { AppliedKind, FieldManagers } from '../../../compiler/manifests/index.ts';
import type { ApiDirectory } from '../../../sdk/kube/index.ts';
import type { OwnershipInput } from './ownership-input.ts';

/**
 * Finds the served types of the selected kinds, each with the field managers that take over.
 * @param to value of `--to`; undefined for the managers of the project's operator
 * @param allObjects true to include objects that no object of a kind of the project controls
 * @returns the targets, and a warning for each kind of the project that the cluster does not serve, so that it has no objects
 * @throws OpSdkError with all findings: `cluster/unknown-kind`, `cluster/kind-not-writable`, `cluster/unknown-field-manager`
 */
export function ownershipTargets(
  directory: ApiDirectory,
  { kinds, managers }: OwnershipInput,
  to: string | undefined,
  allObjects = false,
): { readonly targets: readonly OwnershipTarget[]; readonly warnings: readonly Finding[] } {
  const applied = managers?.kinds ?? [];
  const usual = applied.filter((kind) => !isOnlyReconciled(kind));
  const unserved = kinds === undefined ? usual.filter((kind) => isUnserved(directory, kind)) : [];
  const selections: readonly KindSelection[] =
    kinds ??
    usual
      .filter((kind) => !unserved.includes(kind))
      .map(({ group, plural }) => ({ group, plural, text: kindText({ group, plural }) }));
  const findings = new FindingList();
  const selected = selectKinds(directory, selections);
  findings.add(...selected.findings);
  const targets = selected.resources.flatMap((resource): readonly OwnershipTarget[] => {
    const { group, plural, kind } = resource;
    const known = applied.find((each) => each.group === group && each.plural === plural);
    const isOwn = known !== undefined && (known.isDeclared || known.isReconciled);
    const owners = managers === undefined || allObjects || isOwn ? undefined : managers.reconciled;
    if (to !== undefined) return [{ resource, to: { object: to, status: to }, owners }];
    const takers = known && takersOf(known);
    if (takers !== undefined) return [{ resource, to: takers, owners }];
    findings.add(unknownManager(selectionText({ group, kind }), known, managers));
    return [];
  });
  findings.throwIfAny();
  return { targets, warnings: unserved.map(notServed) };
}

/**
 * Returns true for a kind that the project does not define, and of which the operator writes at most the status. Other operators with the
 * same former field manager may write its objects, too.
 */
function isOnlyReconciled({ isDeclared, object, unread }: AppliedKind): boolean {
  return !isDeclared && object.length === 0 && unread.length === 0;
}

/** Returns the managers that take over a kind; undefined if the sources do not determine a single manager. */
function takersOf({ object, status: [status, ...others], unread }: AppliedKind): Takers | undefined {
  if (status === undefined || others.length > 0 || object.length > 1 || unread.length > 0) return undefined;
  return { object: object[0], status };
}

function isUnserved({ types, unavailable }: ApiDirectory, { group, plural }: AppliedKind): boolean {
  return (
    !types.some(({ resource }) => resource.group === group && resource.plural === plural) &&
    !unavailable.some((each) => each.startsWith(`${group}/`))
  );
}

function notServed({ group, kind, plural, place }: AppliedKind): Finding {
  return {
    code: 'cluster/kind-not-served',
    message: `the cluster does not serve ${selectionText({ group, kind })}, so no objects of it are migrated`,
    where: place,
    fix: [`check that this is the right cluster, or install the CRD ${plural}.${group}`],
  };
}

function unknownManager(
  name: string,
  known: AppliedKind | undefined,
  managers: FieldManagers | undefined,
): Finding {
  const candidates = [...new Set([...(known?.object ?? []), ...(known?.status ?? [])])];
  const [unread] = known?.unread.length ? known.unread : (managers?.unread ?? []);
  const where = known?.unread[0]?.where ?? known?.place ?? unread?.where;
  const why =
    known === undefined
      ? 'the sources of the project do not write it'
      : known.unread.length === 0 && Math.max(known.object.length, known.status.length) > 1
        ? `several may: ${candidates.join(', ')}`
        : (unread?.message ?? 'no controller of the project does');
  const [first = '<manager>/<controller>'] = candidates;
  return {
    code: 'cluster/unknown-field-manager',
    message: `${name}: expected one field manager that applies it, but ${why}`,
    ...(where === undefined ? {} : { where }),
    fix: [`name it: --kind=${name} --to=${first}`],
  };
}
