import type { Finding } from '../../../base/errors/index.ts';
import { storedVersion, versionsOfKind, type VersionSources } from '../../../compiler/manifests/index.ts';
import {
  controllerNames,
  defaultControllerName,
  defaultPlural,
  fullGroup,
  kebabCase,
  layout,
  recordedTemplates,
  type LoadedProject,
  type ProjectResource,
} from '../../../project/project/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';

/** Request to `delete api`. */
export interface WantedRemoval {
  readonly group: string;
  readonly kind: string;
  /** Undefined: all versions. */
  readonly version: string | undefined;
}

/** The entries of PROJECT that go, and those of the same kind that stay. */
export interface ChosenRemoval {
  readonly removed: readonly ProjectResource[];
  readonly rest: readonly ProjectResource[];
}

/**
 * The resources that are meant: entries of PROJECT, or, where an earlier `delete api` has removed these, the sources that it left.
 * @returns a finding if the project has no such resource
 */
export function chooseRemoval(project: LoadedProject, wanted: WantedRemoval): ChosenRemoval | Finding {
  const { group, kind, version } = wanted;
  const family = project.resources.filter(
    (known) => known.kind === kind && (known.group === group || fullGroup(known) === group),
  );
  const isMeant = (known: ProjectResource): boolean => version === undefined || known.version === version;
  const listed = family.filter(isMeant);
  if (listed.length > 0) return { removed: listed, rest: family.filter((known) => !isMeant(known)) };
  const left = leftSources(project, wanted).filter(isMeant);
  if (left.length > 0) return { removed: left, rest: family };
  return missing(project, wanted, family);
}

/** Kinds whose sources were scaffolded and have stayed, though PROJECT does not list them any more. */
function leftSources(project: LoadedProject, { group, kind }: WantedRemoval): readonly ProjectResource[] {
  const [head, tail] = [`${layout.apis}/${group}/`, `/${kebabCase(kind)}.ts`];
  const { domain } = project;
  return Object.keys(recordedTemplates(project.text)).flatMap((path) => {
    const version = path.slice(head.length, -tail.length);
    if (!path.startsWith(head) || !path.endsWith(tail) || version === '' || version.includes('/')) return [];
    const api = { crdVersion: 'v1', namespaced: true };
    return [{ group, domain, version, kind, plural: defaultPlural(kind), path, api, controller: false }];
  });
}

function missing(
  project: LoadedProject,
  { group, kind, version }: WantedRemoval,
  family: readonly ProjectResource[],
): Finding {
  const named = `${group}${version === undefined ? '' : `/${version}`}, Kind=${kind}`;
  const kinds = [...new Set(project.resources.map((known) => known.kind))];
  const closest = closestName(kind, kinds);
  const flags = (known: ProjectResource): string =>
    `--group ${known.group} --version ${known.version} --kind ${known.kind}`;
  const near = family.length > 0 ? family : project.resources.filter((known) => known.kind === closest);
  const shown = near.length > 0 ? near : project.resources;
  return {
    code: 'project/resource-missing',
    message: `${layout.projectFile} does not list ${named}`,
    where: { file: layout.projectFile },
    fix:
      shown.length === 0
        ? ['there is nothing to delete']
        : [`the project has ${shown.map(flags).join('; ')}`],
  };
}

/**
 * Why a version cannot go while others stay: objects are stored in it, or the controller works on it.
 * @returns each with the command that moves what is in the way
 */
export function versionsInUse({ removed, rest }: ChosenRemoval, sources: VersionSources): readonly Finding[] {
  const [successor] = rest.filter(({ api }) => api !== undefined).toReversed();
  if (successor === undefined) return [];
  const { group, kind, version: next } = successor;
  const move = `op-sdk create api --group ${group} --version ${next} --kind ${kind}`;
  const stored = storedVersion(versionsOfKind(sources, { group: fullGroup(successor), kind }));
  return removed.flatMap((resource): readonly Finding[] => {
    const { version } = resource;
    const isStored = stored?.version === version;
    return [
      ...(isStored
        ? [
            {
              code: 'project/version-in-use',
              message: `objects of ${kind} are stored in ${version}`,
              where: stored.declaration.storage?.place ?? stored.declaration.place,
              fix: [`store them in another version first: ${move} --storage`],
            } as const,
          ]
        : []),
      ...controllerNames(resource).map((name): Finding => {
        const isDefault = name === defaultControllerName(kind);
        const flag = isDefault ? '--controller' : `--controller-name ${name}`;
        return {
          code: 'project/version-in-use',
          message: `the controller ${isDefault ? '' : `${JSON.stringify(name)} `}of ${kind} reconciles ${version}`,
          where: { file: layout.controller({ group, kind, controllerName: name }) },
          fix: [`move it to another version first: ${move} --resource=false ${flag} --force`],
        };
      }),
    ];
  });
}
