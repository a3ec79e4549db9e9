import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { oldestNode } from '../../../../src/base/util/node-version.ts';

test('the oldest Node is that of package.json', () => {
  const ours = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
    engines: { node: string };
  };
  expect(`>=${oldestNode}`).toBe(`${ours.engines.node}.0`);
});
