import { jsonTextOf } from '../../../../base/util/json-map.ts';
import { kindOf, type Schema } from '../schema-node.ts';
import type { Rule } from './rule.ts';

/** Formats of texts that are validated. Source: apiextensions-apiserver `pkg/apiserver/validation/formats.go`; hyphens do not count. */
const textFormats: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte date duration datetime k8sshortname k8slongname'
  ).split(' '),
);

/** Formats whose values are all values of the other. */
const widenings: readonly (readonly [string, string])[] = [
  ['int32', 'int64'],
  ['float', 'double'],
  ...['uuid3', 'uuid4', 'uuid5'].map((version): readonly [string, string] => [version, 'uuid']),
];

export const formatRule: Rule = {
  keywords: ['format'],
  compare(pair, report) {
    const before = jsonTextOf(pair.old['format']);
    const after = jsonTextOf(pair.new['format']);
    if (before === after) return;
    const message = `format ${before || 'absent'} became ${after || 'absent'}`;
    const [old, now] = [validated(pair.old), validated(pair.new)];
    const isWider = widenings.some(([narrow, wide]) => before === narrow && after === wide);
    if (isWider) report({ code: 'format-widened', message });
    else if (old === now)
      report({ code: 'documentation', message, note: 'The API server validates neither.' });
    else if (old === '') report({ code: 'format-added', message });
    else if (now === '') report({ code: 'format-removed', message });
    else report({ code: 'format-changed', message });
  },
};

/** The format as far as the API server validates it: integers are int64, numbers double. */
function validated(schema: Schema): string {
  const format = jsonTextOf(schema['format']);
  const kind = kindOf(schema);
  if (kind === 'integer') return format === 'int32' ? format : '';
  if (kind === 'number') return format === 'float' ? format : '';
  const normalized = format.replaceAll('-', '');
  return (kind === 'string' || kind === 'anything') && textFormats.has(normalized) ? normalized : '';
}
