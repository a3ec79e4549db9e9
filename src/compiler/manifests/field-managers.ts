import type { Finding } from '../../base/errors/index.ts';
import type { SourcePlace, TokenInfo } from '../schema/index.ts';
import { importedFiles } from '../source/index.ts';
import { compareCodeUnits } from '../../base/util/json-map.ts';
import { collectRules } from './collect-rules.ts';
import { controllerName, declaredApis, usedKinds } from './declarations.ts';
import { isEvent } from './describe-kinds.ts';
import { isNamespaced, readKinds, throwUnique, type ManifestOptions } from './generate-manifests.ts';
import type { CalledKind } from './rbac/infer/judge-calls.ts';

/** A name that cannot be read from the sources. */
type UnreadName = Pick<Finding, 'message' | 'where'>;

/** A kind whose objects the operator writes, with the field managers that may do so. */
export interface AppliedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** First place in the sources that names the kind. */
  readonly place: SourcePlace;
  /**
   * Field managers, as `<manager>/<controller>`, that may apply the objects. Several if the sources do not determine a single one; empty if
   * the operator writes only the status.
   */
  readonly object: readonly string[];
  /** Field managers that may apply the status. */
  readonly status: readonly string[];
  /** Names that cannot be read from the sources, so that field managers of this kind are missing. */
  readonly unread: readonly UnreadName[];
  /** True if the project declares the kind, and false for a kind of Kubernetes or of another project. */
  readonly isDeclared: boolean;
  /** True if a controller reconciles the kind. */
  readonly isReconciled: boolean;
}

/** The field managers of a project's operator. */
export interface FieldManagers {
  /** Kinds that a controller reconciles, owns, or writes by calls of its client, sorted by group and kind. Events are omitted. */
  readonly kinds: readonly AppliedKind[];
  /** Kinds that a controller reconciles. Their objects control those that the operator makes. */
  readonly reconciled: readonly Pick<TokenInfo, 'group' | 'kind'>[];
  /** Names that cannot be read from the sources, so that field managers are missing. */
  readonly unread: readonly UnreadName[];
}

/**
 * Returns the field managers with which a project's operator applies its objects. Reads files and writes none.
 *
 * The objects of a kind are applied by the controllers that own it, and by whoever makes the calls that write it: the manager, if the call
 * uses its client; the name that the call gives as `fieldManager`; else each controller whose file contains or imports the call. The status
 * is applied by the controllers that reconcile the kind and by the calls that write it; if there are none, by those that apply the objects.
 * Calls in files that no controller imports may belong to every controller.
 *
 * @throws OpSdkError with all errors in all files, as `generateManifests` does
 */
export function readFieldManagers(options: ManifestOptions): FieldManagers {
  const { kinds, program, declared, findings } = readKinds(options);
  const { used, managerNames } = collectRules(findings, program, declared, kinds, isNamespaced(options));
  throwUnique(findings);
  const unread: UnreadName[] = [];
  const managers = [...new Set(managerNames.filter((name) => name !== undefined))];
  if (managerNames.length === 0) unread.push({ message: 'no call of createManager is in the sources' });
  if (managerNames.includes(undefined))
    unread.push({ message: 'the `name` of createManager cannot be read from the sources' });
  const ofManager: Writer = { names: managers, unread: [...unread] };
  const controllers = declared.controllers.map((each): Controller => {
    const name = controllerName(each);
    const isRead = typeof name === 'string';
    if (!isRead) unread.push(name);
    return {
      names: isRead ? managers.map((manager) => `${manager}/${name}`) : [],
      unread: isRead ? ofManager.unread : [...ofManager.unread, name],
      kinds: usedKinds(each.argument),
      files: importedFiles(program, each.place.file),
    };
  });
  const declaredKeys = new Set(declaredApis(kinds).map(keyOf));
  const written = used.filter(({ isWritten }) => isWritten);
  const tokens = [
    ...controllers.flatMap((each) => each.kinds.filter(({ role }) => role !== 'watches')),
    ...written,
  ].filter((token) => !isEvent(token));
  const unique = new Map(
    tokens.map((token) => [keyOf(token), token]).reverse() as [string, (typeof tokens)[number]][],
  );
  const applied = [...unique.values()].map((token): AppliedKind => {
    const isSame = (other: Pick<TokenInfo, 'group' | 'plural'>): boolean => keyOf(other) === keyOf(token);
    const inRole = (role: 'for' | 'owns') =>
      controllers.filter((each) => each.kinds.some((kind) => kind.role === role && isSame(kind)));
    const writers = (calls: typeof used): readonly Writer[] =>
      calls.filter(isSame).flatMap((call) => writersOf(call, ofManager, controllers));
    const object = [...inRole('owns'), ...writers(written)];
    const states = [...inRole('for'), ...writers(used.filter(({ writesStatus }) => writesStatus))];
    const status = states.length > 0 ? states : object;
    const { group, kind, plural, place } = token;
    return {
      ...{ group, kind, plural, place },
      object: namesOf(object),
      status: namesOf(status),
      unread: [...new Set([...object, ...status].flatMap((each) => each.unread))],
      isDeclared: declaredKeys.has(keyOf(token)),
      isReconciled: inRole('for').length > 0,
    };
  });
  return {
    kinds: applied.sort((a, b) => compareCodeUnits(a.group, b.group) || compareCodeUnits(a.kind, b.kind)),
    reconciled: controllers.flatMap((each) => each.kinds.filter(({ role }) => role === 'for')),
    unread,
  };
}

/** Source of writes: the field managers of a controller or of a call. */
interface Writer {
  readonly names: readonly string[];
  readonly unread: readonly UnreadName[];
}

interface Controller extends Writer {
  readonly kinds: ReturnType<typeof usedKinds>;
  readonly files: ReadonlySet<string>;
}

function writersOf(
  { place, managers: managersOf }: CalledKind,
  ofManager: Writer,
  controllers: readonly Controller[],
): readonly Writer[] {
  return managersOf().flatMap((manager): readonly Writer[] => {
    switch (manager.type) {
      case 'named':
        return [{ names: [manager.name], unread: [] }];
      case 'manager':
        return [ofManager];
      case 'unread':
        return [
          {
            names: [],
            unread: [{ message: 'the fieldManager of a call cannot be read from the sources', where: place }],
          },
        ];
      case 'controller': {
        const importing = controllers.filter(({ files }) => files.has(place.file));
        return importing.length > 0 ? importing : controllers;
      }
    }
  });
}

const namesOf = (writers: readonly Writer[]): readonly string[] => [
  ...new Set(writers.flatMap(({ names }) => names)),
];

const keyOf = ({ group, plural }: Pick<TokenInfo, 'group' | 'plural'>): string => `${plural}.${group}`;
