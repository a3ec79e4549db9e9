import type { FindingList } from '../../../base/errors/index.ts';
import { originalIdOf, rememberId } from '../ids.ts';
import type { Resource } from '../resource.ts';
import { describe, isForKind, ShapeError, visitFields, type FieldSpec } from './field-spec.ts';
import { reportShape } from './report-shape.ts';

/** Puts a prefix in front of all names. Source: kustomize `PrefixTransformer`. */
export function addPrefix(
  resources: readonly Resource[],
  prefix: string,
  specs: readonly FieldSpec[],
  findings: FindingList,
): void {
  rename(
    resources,
    specs,
    findings,
    ({ prefixes }) => prefixes.push(prefix),
    (name) => `${prefix}${name}`,
  );
}

/** Puts a suffix behind all names. Source: kustomize `SuffixTransformer`. */
export function addSuffix(
  resources: readonly Resource[],
  suffix: string,
  specs: readonly FieldSpec[],
  findings: FindingList,
): void {
  rename(
    resources,
    specs,
    findings,
    ({ suffixes }) => suffixes.push(suffix),
    (name) => `${name}${suffix}`,
  );
}

function rename(
  resources: readonly Resource[],
  specs: readonly FieldSpec[],
  findings: FindingList,
  note: (resource: Resource) => void,
  change: (name: string) => string,
): void {
  for (const resource of resources) {
    const original = originalIdOf(resource);
    if (isKept(original)) continue;
    for (const spec of specs) {
      if (!isForKind(spec, original)) continue;
      if (spec.path === 'metadata/name') {
        note(resource);
        rememberId(resource);
      }
      reportShape(resource, 'the prefix or suffix of a name', findings, () =>
        visitFields(resource, spec, 'scalar', (slot) => {
          const name = slot.get();
          if (typeof name !== 'string') throw new ShapeError(spec.path, `it is ${describe(name)}, not text`);
          slot.set(change(name));
        }),
      );
    }
  }
}

/** The names of these kinds mean something by themselves, so kustomize leaves them. */
function isKept({ kind, group }: ReturnType<typeof originalIdOf>): boolean {
  return (
    kind === 'CustomResourceDefinition' ||
    kind === 'Namespace' ||
    (kind === 'APIService' && group === 'apiregistration.k8s.io')
  );
}
