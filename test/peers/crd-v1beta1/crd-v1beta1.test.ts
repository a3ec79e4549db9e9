// The golden conversions, made by the API server's own code.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from '../../../src/kubernetes/yaml/to-yaml.ts';

/** The Go command; GO names another than the one on the PATH. */
const go = process.env['GO'] ?? 'go';
const golden = join(import.meta.dirname, '../../golden/crd-v1beta1');
const cases = readdirSync(golden).filter(
  (name) => !name.startsWith('error-') && existsSync(join(golden, name, 'v1beta1.yaml')),
);

function whyNot(): string | undefined {
  try {
    execFileSync(go, ['mod', 'download'], { cwd: import.meta.dirname, stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `Go, or its modules, cannot be had: ${String(error)}`;
  }
}

test('api-server.yaml of the golden cases is what the API server makes', async ({ skip }) => {
  const reason = whyNot();
  if (reason !== undefined) skip(reason);
  const input = cases.map((name) =>
    JSON.stringify(parse(readFileSync(join(golden, name, 'v1beta1.yaml'), 'utf8'))),
  );
  const lines = execFileSync(go, ['run', '.'], { cwd: import.meta.dirname, input: input.join('\n') });
  const converted = lines.toString().trim().split('\n');
  expect(converted).toHaveLength(cases.length);
  for (const [index, name] of cases.entries())
    await expect(toYaml(JSON.parse(converted[index] ?? ''))).toMatchFileSnapshot(
      join(golden, name, 'api-server.yaml'),
    );
});
