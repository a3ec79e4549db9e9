import { iconMediaType, scriptIn } from '../../../icon-format.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../fields.ts';
import type { Check } from '../../types.ts';

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Checks that the icons are of the media types that they declare; operator-framework's validator looks at the media type alone. */
export const checkIconContent: Check<'opsdk'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  for (const [index, icon] of listOf(fieldAt(csv.value, 'spec', 'icon')).entries()) {
    const path = ['spec', 'icon', index, 'base64data'] as const;
    const mediatype = textOf(mapOf(icon)['mediatype']);
    // The API server takes line breaks.
    const text = textOf(mapOf(icon)['base64data']).replace(/[\r\n]/g, '');
    // What is missing is what catalogues ask for: the validator operatorhubv2 says so.
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
