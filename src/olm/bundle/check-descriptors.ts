import type { FindingList } from '../../base/errors/index.ts';
import { xDescriptorProblem } from '../../compiler/schema/descriptors/x-descriptors.ts';
import { pathText } from '../../base/util/read-json.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { fieldAt, listOf, textsOf } from './validate/fields.ts';

const owned = ['spec', 'customresourcedefinitions', 'owned'] as const;
const lists = ['specDescriptors', 'statusDescriptors', 'actionDescriptors'];

/** Warns of x-descriptors in the base's owned kinds that no user interface knows. What has another form is reported where it is used. */
export function checkDescriptors(warnings: FindingList, base: PlacedObject): void {
  const at = (path: readonly (string | number)[]): unknown => fieldAt(base.object, ...path);
  const itemsOf = (path: readonly (string | number)[]): readonly (readonly (string | number)[])[] =>
    listOf(at(path)).map((_, index) => [...path, index]);
  for (const path of itemsOf(owned)
    .flatMap((kind) => lists.map((list) => [...kind, list]))
    .flatMap(itemsOf)
    .map((descriptor) => [...descriptor, 'x-descriptors'])) {
    for (const name of textsOf(at(path))) {
      const problem = xDescriptorProblem(name);
      if (problem === undefined) continue;
      warnings.add({
        code: 'schema/unknown-x-descriptor',
        message: `the base ClusterServiceVersion: ${pathText(path)}: ${problem.message}`,
        where: base.where,
        fix: [problem.fix],
      });
    }
  }
}
