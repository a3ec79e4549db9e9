import type { Finding } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import {
  defaultPlural,
  fullGroup,
  kebabCase,
  layout,
  recordedTemplates,
  type LoadedProject,
  type ProjectResource,
} from '../../../project/project/index.ts';

/** Request to `delete api`. */
export interface WantedRemoval {
  readonly group: string;
  readonly kind: string;
  /** Version to remove. Undefined: remove all versions of the kind. */
  readonly version: string | undefined;
}

/** Entries of PROJECT to remove, and entries of the same kind to keep. */
export interface ChosenRemoval {
  readonly removed: readonly ProjectResource[];
  readonly rest: readonly ProjectResource[];
}

/**
 * Returns the requested resources: entries of PROJECT or, if an earlier `delete api` has removed the entries, the sources that were left
 * behind.
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

/** Returns the kinds whose scaffolded sources still exist although PROJECT no longer lists the kinds. */
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
