// The alerts and the dashboard of an operator with everything that has a part in them. UPDATE_GOLDEN=1 writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { everything, rendered } from '../../unit/project/monitoring/rendered.ts';

test.each([
  ['rules', 'rules.yaml'],
  ['dashboard', 'cache-operator.json'],
  ['grafana', 'kustomization.yaml'],
] as const)('%s', async (part, name) => {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const text = (await rendered(everything))[part];
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});
