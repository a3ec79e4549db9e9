import { iconMediaType } from '../icon-format.ts';
import { fieldAt, textOf } from '../validate/fields.ts';
import type { BundleObject } from '../validate/types.ts';

/**
 * The icon of an operator as the address of a picture. As a picture an SVG runs no script and loads nothing.
 * @returns `''` if there is none that catalogues would show
 */
export function iconAddress(csv: BundleObject): string {
  const content = Buffer.from(textOf(fieldAt(csv.value, 'spec', 'icon', 0, 'base64data')), 'base64');
  const type = iconMediaType(content);
  return type === undefined ? '' : `data:${type};base64,${content.toString('base64')}`;
}
