import { format } from 'prettier';
import { expect, test } from 'vitest';
import { renderPermissions } from '../../../../src/project/scaffold/machine-document.ts';

test('rules are written as Prettier leaves them in a scaffolded project, however long they are', async () => {
  const resourceNames = Array.from({ length: 12 }, (_, i) => `name-${i}-of-an-object`);
  const rules = [
    { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    { groups: [''], resources: ['configmaps'], resourceNames, verbs: ['get', 'patch'] },
  ];
  const text = await renderPermissions({ rules });
  for (const name of ['/metrics', 'configmaps', ...resourceNames]) expect(text).toContain(`'${name}'`);
  expect(await format(text, { parser: 'typescript', printWidth: 110, singleQuote: true })).toBe(text);
});

test('without rules there is an empty list', async () => {
  expect(await renderPermissions({ rules: [] })).toContain('permissions: readonly RbacRule[] = [];\n');
});
