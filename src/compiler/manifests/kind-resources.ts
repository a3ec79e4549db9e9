import type { ProjectDeclarations, SourceProgram, TokenInfo } from '../schema/index.ts';
import { importedFiles } from '../source/index.ts';
import { compareCodeUnits } from '../../base/util/json-map.ts';
import { builtInResources } from './rbac/generated/built-in-resources.ts';
import type { CollectedRules } from './collect-rules.ts';
import { usedKinds } from './used-kinds.ts';

/** A kind whose objects belong to an object of a kind of the project: an item of `resources` of an owned kind. */
export interface KindResource {
  readonly kind: string;
  /** The name of the CRD; empty for built-in kinds, which have none. */
  readonly name: string;
  readonly version: string;
}

/**
 * Lists the kinds that controllers of a kind own or write. A write belongs to the controllers whose file is, or imports, the file of
 * the call; where there are none, to all. Events are left out, and the kind itself is listed only where there is nothing else.
 * @returns the kinds for a kind of the project
 */
export function resourcesOf(
  source: SourceProgram,
  { controllers }: Pick<ProjectDeclarations, 'controllers'>,
  used: CollectedRules['used'],
): (kind: TokenInfo) => readonly KindResource[] {
  const read = controllers.map(({ argument, place }) => ({
    kinds: usedKinds(argument),
    files: importedFiles(source, place.file),
  }));
  const written = used
    .filter(({ isWritten }) => isWritten)
    .map((kind) => ({ kind, owners: read.filter(({ files }) => files.has(kind.place.file)) }));
  return (kind) => {
    const own = read.filter(({ kinds }) => kinds.some((each) => each.role === 'for' && isSame(each, kind)));
    const owned = own.flatMap(({ kinds }) => kinds.filter(({ role }) => role === 'owns'));
    const writes = written.filter(
      ({ owners }) => owners.length === 0 || owners.some((owner) => own.includes(owner)),
    );
    const others = [...owned, ...writes.map((write) => write.kind)].filter(
      (each) => !isSame(each, kind) && !isEvent(each),
    );
    const resources = (others.length === 0 ? [kind] : others).map(resourceOf);
    return [...new Map(resources.map((each) => [JSON.stringify(each), each])).values()].sort(
      (a, b) =>
        compareCodeUnits(a.kind, b.kind) ||
        compareCodeUnits(a.name, b.name) ||
        compareCodeUnits(a.version, b.version),
    );
  };
}

function isSame(a: TokenInfo, b: TokenInfo): boolean {
  return a.group === b.group && a.kind === b.kind;
}

function isEvent({ group, kind }: TokenInfo): boolean {
  return kind === 'Event' && (group === '' || group === 'events.k8s.io');
}

function resourceOf({ group, version, kind, plural }: TokenInfo): KindResource {
  const isBuiltIn = Object.hasOwn(builtInResources, group);
  return { kind, name: isBuiltIn ? '' : `${plural}.${group}`, version };
}
