import type { FindingList } from '../../../base/errors/index.ts';
import {
  checkPlural,
  controllerNames,
  defaultControllerName,
  fullGroup,
  layout,
  type LoadedProject,
  type ProjectResource,
} from '../../../project/project/index.ts';
import { controllerCodeNames } from '../../../project/scaffold/index.ts';
import { invalidFlag } from './flag-values.ts';

/** A controller that is to be made. */
interface NewController {
  readonly resource: Pick<ProjectResource, 'group' | 'domain' | 'core' | 'version' | 'kind'>;
  /** The given name; absent: the name of the kind. */
  readonly controllerName: string | undefined;
  readonly ambiguousKind: boolean;
  /** True if one of the same kind and name is overwritten. */
  readonly force: boolean;
}

/** Checks the form of a controller's name; undefined if it is valid. */
export function checkControllerName(name: string): string | undefined {
  return (
    checkPlural(name) ??
    // The constant would be called defineController, a name that the scaffolded code needs itself.
    (/^define(?:-?controller)?$/.test(name) ? 'the scaffolded code needs this name itself' : undefined)
  );
}

/**
 * Checks that a controller's names differ from those of all others: the name in logs and as field manager, the file name, and the
 * identifier in main.
 * Source: kubebuilder `normalizeForCollisionCheck`.
 */
export function checkControllerNames(
  findings: FindingList,
  { resources }: Pick<LoadedProject, 'resources'>,
  { resource, controllerName, ambiguousKind, force }: NewController,
): void {
  const own = takenBy(resource, controllerName, [ambiguousKind]);
  for (const known of resources) {
    for (const name of controllerNames(known)) {
      const isSameKind = known.kind === resource.kind && fullGroup(known) === fullGroup(resource);
      const isSame = isSameKind && name === (controllerName ?? defaultControllerName(resource.kind));
      if (isSame && (force || controllerName === undefined)) continue;
      const isDefault = known.controllers === undefined;
      const taken = takenBy(known, isDefault ? undefined : name, isDefault ? [false, true] : [false]);
      if (!isSame && ![...own].some((each) => taken.has(each))) continue;
      findings.add({
        code: 'project/controller-name-taken',
        message: `the controller ${JSON.stringify(name)} of ${known.kind} already has ${isSame ? 'this name' : 'a name that is too similar'}`,
        where: { file: layout.projectFile },
        fix: [
          `give another name with --controller-name, such as --controller-name ${resource.kind.toLowerCase()}-backup`,
          ...(isSame
            ? [
                // A controller of a foreign kind cannot move to another version.
                known.version === resource.version || known.api === undefined
                  ? 'overwrite the controller with --force'
                  : `move the controller to ${resource.version} with --force`,
              ]
            : []),
        ],
      });
    }
  }
}

/** Returns all names that a controller occupies, normalized so that names which would be confused are equal. */
function takenBy(
  { group, kind }: Pick<ProjectResource, 'group' | 'kind'>,
  controllerName: string | undefined,
  ambiguous: readonly boolean[],
): ReadonlySet<string> {
  return new Set(
    ambiguous.flatMap((ambiguousKind) => {
      const names = controllerCodeNames({ group, kind, controllerName }, ambiguousKind);
      const inLogs = names.name ?? controllerName ?? defaultControllerName(kind);
      return [`log ${inLogs}`, `code ${names.local.toLowerCase()}`];
    }),
  );
}

/** The finding for `--controller-name` without a controller. */
export function nameWithoutController(findings: FindingList, controllerName: string | undefined): void {
  if (controllerName === undefined) return;
  findings.add(
    invalidFlag(
      '--controller-name',
      '--controller-name names a controller, and --controller=false asks for none',
      'leave one of them out',
    ),
  );
}
