import type { FindingList } from '../../../base/errors/index.ts';
import type { ReplicaRule } from '../entries.ts';
import { allIdsOf } from '../ids.ts';
import type { Resource } from '../resource.ts';
import { describe, isForKind, ShapeError, visitFields, type FieldSpec } from './field-spec.ts';
import { reportShape } from './report-shape.ts';

/** Source: kustomize `builtinpluginconsts/replicas.go`. */
export const replicaSpecs: readonly FieldSpec[] = [
  'Deployment',
  'ReplicationController',
  'ReplicaSet',
  'StatefulSet',
].map((kind) => ({ path: 'spec/replicas', create: true, kind }));

/** Sets the number of replicas of the resources that have, or had, a name. */
export function setReplicas(
  resources: readonly Resource[],
  rule: ReplicaRule,
  specs: readonly FieldSpec[],
  findings: FindingList,
): void {
  let isFound = false;
  for (const spec of specs) {
    const meant = resources.filter((resource) =>
      allIdsOf(resource).some((id) => id.name === rule.name && isForKind(spec, id)),
    );
    for (const resource of meant) {
      isFound = true;
      reportShape(resource, 'the number of replicas', findings, () =>
        visitFields(resource, spec, 'scalar', (slot) => {
          const value = slot.get();
          if (typeof value === 'object' && value !== null)
            throw new ShapeError(spec.path, `it is ${describe(value)}, not a number`);
          slot.set(rule.count);
        }),
      );
    }
  }
  if (isFound) return;
  findings.add({
    code: 'kustomize/no-target',
    message:
      specs.length === 0
        ? `replicas: fieldSpecs names no field in which the count of ${rule.name} is set`
        : `replicas: no ${kindsOf(specs)} has the name ${rule.name}`,
    where: rule.where,
    fix: [
      specs.length === 0
        ? 'name the fields, such as path: spec/replicas'
        : 'give the name that the resource has, without prefixes',
    ],
  });
}

function kindsOf(specs: readonly FieldSpec[]): string {
  const kinds = [...new Set(specs.map(({ kind = '' }) => (kind === '' ? 'object' : kind)))].sort();
  return kinds.length < 2 ? kinds.join('') : `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1) ?? ''}`;
}
