import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { sharedControlPlane } from '../../../helpers/control-plane.ts';

const root = join(import.meta.dirname, '../../../..');
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'op-sdk-k8s-'));
});
afterAll(() => rm(scratch, { recursive: true }));

async function filesOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = files
    .sort()
    .map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const);
  return new Map(await Promise.all(contents));
}

test('the committed kinds and tables are what the API server says', async () => {
  const controlPlane = await sharedControlPlane();
  const get = (path: string) => apiRequest(controlPlane, { path, timeout: 60_000 });
  const { paths } = (await get('/openapi/v3')).json() as { paths: Record<string, unknown> };
  for (const name of Object.keys(paths).filter((name) => /^apis?\//.test(name))) {
    // Not by the address in the index, which ends in a hash: other tests create and delete kinds in the meantime.
    const { status, text } = await get(`/openapi/v3/${name}`);
    if (status === 404) continue;
    await writeFile(join(scratch, `${name.replaceAll('/', '__')}.json`), text);
  }
  const output = join(scratch, 'src');
  const options = ['--from', scratch, '--output-dir', output];
  await execa(process.execPath, [join(root, 'scripts/generate-k8s.mjs'), ...options]);

  for (const folder of ['sdk/k8s/generated', 'kubernetes/tables/generated']) {
    const expected = await filesOf(join(root, 'src', folder));
    // The API server does not say how Go writes objects: scripts/generate-go-forms.mjs reads its sources.
    expected.delete('go-forms.ts');
    const actual = await filesOf(join(output, folder));
    expect([...actual.keys()]).toEqual([...expected.keys()]);
    for (const [file, text] of actual) {
      // Not toBe: a difference of half a megabyte is no message.
      expect(
        text === expected.get(file),
        `${folder}/${file} is out of date: run scripts/generate-k8s.mjs`,
      ).toBe(true);
    }
  }
});
