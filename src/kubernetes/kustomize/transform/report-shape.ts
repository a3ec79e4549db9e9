import type { FindingList } from '../../../base/errors/index.ts';
import { describeId } from '../ids.ts';
import { idOf, type Resource } from '../resource.ts';
import { ShapeError } from './field-spec.ts';

/** Runs a change of one resource; a field of the wrong shape becomes a finding, so that the other resources are checked, too. */
export function reportShape(
  resource: Resource,
  what: string,
  findings: FindingList,
  change: () => void,
): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    findings.add({
      code: 'kustomize/unexpected-shape',
      message: `cannot set ${what} in ${describeId(idOf(resource))}: ${error.path.replaceAll('/', '.')}: ${error.message}`,
      where: resource.where,
      fix: ['correct the field of the resource, or remove the change from the kustomization'],
    });
  }
}
