import type { FieldPath } from '../types.ts';
import { listOf, mapOf, textOf, fieldAt, fieldName } from '../fields.ts';
import { isJsonMap } from '../../../../base/util/json-map.ts';
import { hasHidden } from '../../../../base/util/terminal-words.ts';
import { scriptIn, iconMediaType } from '../../icon-format.ts';
import { ruleModule, type BundleRules, type Check } from './rule.ts';
import type { SharedRules } from './shared.ts';

const rules = {
  'bundle/script': {
    validators: { opsdk: 'error' },
    title: 'A script in what catalogues show',
    explain:
      'Catalogues and consoles show the description as Markdown and the icon as an image. A script in them would run in the browsers of those who look at the operator, or is taken out on the way.',
  },
  'bundle/hidden-character': {
    validators: { opsdk: 'warning' },
    title: 'A character that cannot be seen',
    explain:
      'A warning. A text of the ClusterServiceVersion holds a control character, or a mark that reverses the direction of text. Terminals and browsers obey such characters and do not show them, so that people read something else than what is written.',
  },
} as const satisfies BundleRules;

type Rules = typeof rules & SharedRules;

/** Matches code in Markdown. It is skipped, because it is displayed as it is written. */
const code = /```[\s\S]*?```|`[^`\n]*`/g;

/** Reports scripts and invisible characters in the texts of the ClusterServiceVersion. */
const checkTexts: Check<Rules, 'opsdk'> = ({ csv }, { error, warn }) => {
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
        `${fieldName(hidden)} holds an invisible character: a control character, or a mark that reverses the direction of text`,
        'remove the character',
      );
};

/** Yields the paths of texts with hidden characters, and of maps with hidden characters in a key. */
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

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Checks that the content of each icon matches the declared media type. operator-framework's validator checks only the media type itself.
 */
const checkIconContent: Check<Rules, 'opsdk'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  for (const [index, icon] of listOf(fieldAt(csv.value, 'spec', 'icon')).entries()) {
    const path = ['spec', 'icon', index, 'base64data'] as const;
    const mediatype = textOf(mapOf(icon)['mediatype']);
    // Remove line breaks, which the API server accepts in base64.
    const text = textOf(mapOf(icon)['base64data']).replace(/[\r\n]/g, '');
    // Skip icons with missing fields. The validator operatorhubv2 reports missing fields, because only catalogues need them.
    if (text === '' || mediatype === '') continue;
    if (!base64.test(text) || text.length % 4 !== 0) {
      const message = `spec.icon[${index}].base64data is not base64`;
      error(
        'bundle/invalid-icon',
        [csv, path],
        message,
        'write the image in base64, without a prefix such as data:',
      );
      continue;
    }
    const content = Buffer.from(text, 'base64');
    const found = iconMediaType(content);
    if (found !== mediatype) {
      const message = `spec.icon[${index}] says that it is ${mediatype}, but holds ${found ?? 'another kind of file'}`;
      error('bundle/invalid-icon', [csv, path], message, 'write a GIF, JPEG, PNG or SVG, and its media type');
      continue;
    }
    const script = found === 'image/svg+xml' ? scriptIn(content.toString('utf8')) : undefined;
    if (script === undefined) continue;
    const message = `the image of spec.icon[${index}] holds a script: ${script}`;
    error('bundle/script', [csv, path], message, 'remove it from the image');
  }
};

export const textRules = ruleModule<typeof rules, Rules>(rules, { opsdk: [checkIconContent, checkTexts] });
