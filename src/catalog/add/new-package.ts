import { fieldAt, textOf } from '../../bundle/validate/fields.ts';
import type { JsonMap } from '../../util/json-map.ts';
import { packageIcon } from '../render/render-template.ts';
import type { Addition } from './plan-addition.ts';

/** The document of a package that is not in the catalogue yet: its description and icon are those of its first bundle. */
export function newPackage({ bundle, defaultChannel }: Addition, name: string): JsonMap {
  const icon = packageIcon(bundle.csv.value);
  const description = textOf(fieldAt(bundle.csv.value, 'spec', 'description'));
  return {
    schema: 'olm.package',
    name,
    defaultChannel,
    ...(icon === undefined ? {} : { icon }),
    ...(description === '' ? {} : { description }),
  };
}
