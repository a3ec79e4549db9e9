import type { Finding } from '../../base/errors/index.ts';
import type { SourcePlace, TokenInfo } from '../schema/index.ts';
import { importedFiles } from '../source/index.ts';
import { compareCodeUnits } from '../../base/util/json-map.ts';
import { collectRules } from './collect-rules.ts';
import { controllerName, usedKinds } from './declarations.ts';
import { isEvent } from './describe-kinds.ts';
import { isNamespaced, readKinds, throwUnique, type ManifestOptions } from './generate-manifests.ts';

/** A kind whose objects the operator writes, with the field managers of its controllers that may do so. */
export interface AppliedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** First place in the sources that names the kind. */
  readonly place: SourcePlace;
  /** Field managers, as `<manager>/<controller>`, that may apply the objects. Several if the sources do not decide between controllers. */
  readonly object: readonly string[];
  /** Field managers that may apply the status. */
  readonly status: readonly string[];
}

/** The field managers of a project's operator. */
export interface FieldManagers {
  /** Kinds that a controller reconciles, owns, or writes by calls of its client, sorted by group and kind. Events are omitted. */
  readonly kinds: readonly AppliedKind[];
  /** Names that cannot be read from the sources, so that field managers are missing. */
  readonly unread: readonly Pick<Finding, 'message' | 'where'>[];
}

/**
 * Returns the field managers that a project's operator applies its objects with. Reads files and writes none.
 *
 * The objects of a kind are applied by the controllers that own it; if none does, by the controllers whose files contain or import the calls
 * that write it; else by the controllers that reconcile it. The status is applied by the controllers that reconcile the kind; if none does,
 * by those that apply its objects. Calls in files that no controller imports may belong to every controller.
 *
 * @throws OpSdkError with all errors in all files, as `generateManifests` does
 */
export function readFieldManagers(options: ManifestOptions): FieldManagers {
  const { kinds, program, declared, findings } = readKinds(options);
  const { used, managerNames } = collectRules(findings, program, declared, kinds, isNamespaced(options));
  throwUnique(findings);
  const unread: Pick<Finding, 'message' | 'where'>[] = [];
  const managers = [...new Set(managerNames.filter((name) => name !== undefined))];
  if (managerNames.length === 0) unread.push({ message: 'no call of createManager is in the sources' });
  if (managerNames.includes(undefined))
    unread.push({ message: 'the `name` of createManager cannot be read from the sources' });
  const controllers = declared.controllers.map((each) => {
    const name = controllerName(each);
    if (typeof name !== 'string') unread.push(name);
    return {
      names: typeof name === 'string' ? managers.map((manager) => `${manager}/${name}`) : [],
      kinds: usedKinds(each.argument),
      files: importedFiles(program, each.place.file),
    };
  });
  const written = used.filter(({ isWritten }) => isWritten);
  const tokens = [
    ...controllers.flatMap((each) => each.kinds.filter(({ role }) => role !== 'watches')),
    ...written,
  ].filter((token) => !isEvent(token));
  const unique = new Map(
    tokens.map((token) => [keyOf(token), token]).reverse() as [string, (typeof tokens)[number]][],
  );
  const applied = [...unique.values()].map((token): AppliedKind => {
    const inRole = (role: 'for' | 'owns') =>
      controllers.filter((each) =>
        each.kinds.some((kind) => kind.role === role && keyOf(kind) === keyOf(token)),
      );
    const calls = written.filter((call) => keyOf(call) === keyOf(token));
    const writers = calls.flatMap(({ place }) => {
      const importing = controllers.filter(({ files }) => files.has(place.file));
      return importing.length > 0 ? importing : controllers;
    });
    const object = [inRole('owns'), writers, inRole('for')].find((each) => each.length > 0) ?? [];
    const status = [inRole('for'), object].find((each) => each.length > 0) ?? [];
    const { group, kind, plural, place } = token;
    return { group, kind, plural, place, object: namesOf(object), status: namesOf(status) };
  });
  return {
    kinds: applied.sort((a, b) => compareCodeUnits(a.group, b.group) || compareCodeUnits(a.kind, b.kind)),
    unread,
  };
}

const namesOf = (controllers: readonly { readonly names: readonly string[] }[]): readonly string[] => [
  ...new Set(controllers.flatMap(({ names }) => names)),
];

const keyOf = ({ group, plural }: TokenInfo): string => `${plural}.${group}`;
