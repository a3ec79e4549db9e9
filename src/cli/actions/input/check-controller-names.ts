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

/** Controller that is to be created. */
interface NewController {
  readonly resource: Pick<ProjectResource, 'group' | 'domain' | 'core' | 'version' | 'kind'>;
  /** Name that the user gave to the controller. If absent, the controller is named like its kind. */
  readonly controllerName: string | undefined;
  readonly ambiguousKind: boolean;
  /** True if an existing controller of the same kind and name is overwritten. */
  readonly force: boolean;
}

/** Returns the problem with the form of a controller's name; undefined if the name is valid. */
export function checkControllerName(name: string): string | undefined {
  return (
    checkPlural(name) ??
    // The constant for such a controller would be called defineController. The scaffolded code needs this name for another purpose.
    (/^define(?:-?controller)?$/.test(name)
      ? 'the name is reserved: the scaffolded code uses it itself'
      : undefined)
  );
}

/**
 * Checks that the names of a controller differ from the names of all other controllers. Compares the name in logs and as field manager, the
 * file name, and the identifier in main. Source: kubebuilder `normalizeForCollisionCheck`.
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
        message: `the name of the new controller is taken: the controller ${JSON.stringify(name)} of ${known.kind} already has ${isSame ? 'this name' : 'a name that is too similar'}`,
        where: { file: layout.projectFile },
        fix: [
          `give another name with --controller-name, such as --controller-name ${resource.kind.toLowerCase()}-backup`,
          ...(isSame
            ? [
                // A controller of a kind that the project does not define cannot move to another version.
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

/** Returns all names that a controller uses. The names are normalized, so that names which a reader could confuse become equal. */
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

/** Adds a finding if `--controller-name` is given although the command creates no controller. */
export function nameWithoutController(findings: FindingList, controllerName: string | undefined): void {
  if (controllerName === undefined) return;
  findings.add(
    invalidFlag(
      '--controller-name',
      '--controller-name and --controller=false exclude each other: --controller=false creates no controller',
      'leave one of them out',
    ),
  );
}
