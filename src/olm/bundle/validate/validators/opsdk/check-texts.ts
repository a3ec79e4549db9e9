import { isJsonMap } from '../../../../../base/util/json-map.ts';
import { hasHidden } from '../../../../../base/util/printable.ts';
import { scriptIn } from '../../../icon-format.ts';
import { fieldAt, fieldName, textOf } from '../../fields.ts';
import type { Check, FieldPath } from '../../types.ts';

/** Markdown that is shown as it is written. */
const code = /```[\s\S]*?```|`[^`\n]*`/g;

/** The texts of the ClusterServiceVersion as people will see them: scripts, and characters that cannot be seen. */
export const checkTexts: Check<'opsdk'> = ({ csv }, { error, warn }) => {
  if (csv === undefined) return;
  const path = ['spec', 'description'] as const;
  const script = scriptIn(textOf(fieldAt(csv.value, ...path)).replace(code, ''));
  if (script !== undefined) {
    const message = `spec.description holds a script: ${script}`;
    error('bundle/script', [csv, path], message, 'remove it, or write it as code between backticks');
  }
  for (const part of ['metadata', 'spec'])
    for (const hidden of hiddenIn(csv.value[part], [part]))
      warn(
        'bundle/hidden-character',
        [csv, hidden],
        `${fieldName(hidden)} holds a control character or a mark that reverses text, which people do not see`,
        'remove the character',
      );
};

/** The places of texts with such characters, and of maps with them in a key. */
function* hiddenIn(value: unknown, path: FieldPath): Iterable<FieldPath> {
  if (typeof value === 'string' && hasHidden(value)) yield path;
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* hiddenIn(item, [...path, index]);
  else if (isJsonMap(value))
    for (const [key, item] of Object.entries(value)) {
      if (hasHidden(key)) yield path;
      else yield* hiddenIn(item, [...path, key]);
    }
}
