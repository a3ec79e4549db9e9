// Types as people write them give the schema of what they say, written out: with all tags, descriptions and types of numbers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatFindings } from '../../../src/base/errors/index.ts';
import { readFields } from './read-fields.ts';

function fieldsOf(file: string, kind: string): Readonly<Record<string, unknown>> {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const { fields, findings } = readFields(file, text, kind);
  expect(formatFindings(findings)).toBe('');
  return fields;
}

const written = fieldsOf('written.ts', 'Written');
const forms = fieldsOf('types.ts', 'Forms');

test('both have the same fields', () => {
  expect(Object.keys(forms)).toEqual(Object.keys(written));
});

test.each(Object.keys(written))('%s', (field) => {
  expect(forms[field]).toEqual(written[field]);
});
