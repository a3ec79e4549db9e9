// The table of built-in resources is what the generated kinds say; UPDATE_GOLDEN=1 writes it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtInResources } from '../../../../src/compiler/manifests/rbac/generated/built-in-resources.ts';
import { repository } from './project-folder.ts';

const folder = join(repository, 'src/sdk/k8s/generated');
const file = join(repository, 'src/compiler/manifests/rbac/generated/built-in-resources.ts');

function fromKinds(): Record<string, Record<string, boolean>> {
  const found = new Map<string, Map<string, boolean>>();
  const call =
    /externalResource<\w+>\(\{ group: '([^']*)', version: '[^']*', kind: '\w+', plural: '(\w+)', scope: '(\w+)' \}\)/g;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    for (const [, group = '', plural = '', scope] of readFileSync(join(folder, name), 'utf8').matchAll(
      call,
    )) {
      const resources = found.get(group) ?? new Map<string, boolean>();
      found.set(group, resources.set(plural, scope === 'Namespaced'));
    }
  }
  return Object.fromEntries(
    [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, resources]) => [
        group,
        Object.fromEntries([...resources].sort(([a], [b]) => (a < b ? -1 : 1))),
      ]),
  );
}

test('the table has the resources of all built-in kinds', () => {
  const expected = fromKinds();
  if (process.env['UPDATE_GOLDEN'] === '1') {
    const text = `// Made by test/unit/compiler/manifests/built-in-resources.test.ts from src/sdk/k8s/generated. Do not edit.\n/** The resources of Kubernetes' API groups: whether their objects are in namespaces. */\nexport const builtInResources: Readonly<Record<string, Readonly<Record<string, boolean>>>> = ${JSON.stringify(expected, undefined, 2)};\n`;
    writeFileSync(file, text);
  } else expect(builtInResources).toEqual(expected);
  expect(Object.keys(expected)).toContain('apps');
});
