import { formatWhere } from '../../errors/format.ts';
import { OpSdkError, type FindingList } from '../../errors/index.ts';
import { findDuplicates, idKey } from '../find-duplicates.ts';
import { describeId } from '../ids.ts';
import type { Folder, Template } from '../load/kustomization.ts';
import { limits } from '../load/limits.ts';
import { idOf, newResource, type Resource } from '../resource.ts';
import { copyJson } from './copy-json.ts';
import { transform } from './transform.ts';

/** The resources of a folder, and of all folders in it, with all changes but those of references. */
export function accumulate(folder: Folder, findings: FindingList): Resource[] {
  const budget = { values: 0, folders: 0 };
  return accumulateInto([], folder);

  /** A component adds to, and changes, what its parent has gathered; a kustomization starts with nothing. */
  function accumulateInto(resources: Resource[], current: Folder): Resource[] {
    spend('folders', current);
    const known = new Map(resources.map((resource) => [idKey(resource), resource]));
    const add = (resource: Resource): void => {
      const first = known.get(idKey(resource));
      if (first === undefined) {
        known.set(idKey(resource), resource);
        resources.push(resource);
      } else reportDuplicate(formatWhere(first.where), resource);
    };
    for (const part of current.resources) {
      if ('root' in part) accumulateInto([], part).forEach(add);
      else part.map((template) => instantiate(template, current)).forEach(add);
    }
    for (const component of current.components) accumulateInto(resources, component);
    if (current.components.length > 0) findDuplicates(resources, reportDuplicate);
    transform(resources, current, findings);
    return resources;
  }

  function instantiate({ object, where }: Template, current: Folder): Resource {
    return newResource(
      copyJson(object, () => spend('values', current)),
      where,
    );
  }

  function spend(what: 'values' | 'folders', { file }: Folder): void {
    budget[what]++;
    if (budget[what] <= limits[what]) return;
    throw new OpSdkError([
      ...findings.all,
      {
        code: 'kustomize/too-large',
        message: `the build has more than ${limits[what]} ${what === 'values' ? 'values' : 'folders, each use counted'}`,
        where: { file },
        fix: ['look for aliases or folders that multiply each other'],
      },
    ]);
  }

  function reportDuplicate(first: string, resource: Resource): void {
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `there is another resource ${describeId(idOf(resource))}, at ${first}`,
      where: resource.where,
      fix: ['remove one of them, or give it another name or namespace'],
    });
  }
}
