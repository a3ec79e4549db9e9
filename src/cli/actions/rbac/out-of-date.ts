import type { Finding } from '../../../base/errors/index.ts';
import {
  coveredBy,
  type AccessObject,
  type Grant,
  type Permission,
} from '../../../compiler/manifests/permissions/index.ts';
import { layout } from '../../../project/project/index.ts';

/**
 * `manifests/out-of-date` if the operator's role in config grants something else than the sources generate.
 * Roles in namespaces that rules name are bound elsewhere than in config/default: they may be missing.
 *
 * @param has what the operator is granted by the file of its role
 * @param generated the objects that the sources generate
 */
export function outOfDate(
  has: readonly Permission[],
  generated: readonly AccessObject[],
): Finding | undefined {
  const permissions = (objects: readonly AccessObject[]): readonly Permission[] =>
    objects.flatMap(({ grants }) => grants.filter(isPermission));
  const wanted = permissions(generated.filter(({ namespace }) => namespace === undefined));
  const allowed = permissions(generated);
  if (wanted.every((each) => coveredBy(has, each)) && has.every((each) => coveredBy(allowed, each)))
    return undefined;
  return {
    code: 'manifests/out-of-date',
    message: `${layout.role} does not grant what the sources generate`,
    where: { file: layout.role },
    fix: [
      'run `op-sdk generate manifests`',
      `and keep ${layout.role} in the kustomization of ${layout.rbac}`,
    ],
  };
}

function isPermission(grant: Grant): grant is Permission {
  return grant.type === 'resource' || grant.type === 'url';
}
