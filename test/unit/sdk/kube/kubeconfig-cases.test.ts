// What client-go 0.36 (tools/clientcmd, Load) reads of each text; null: it refuses it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { readKubeconfigs } from '../../../../src/sdk/kube/cluster/kubeconfig-file.ts';
import { loadCluster } from '../../../../src/sdk/kube/index.ts';
import cases from './kubeconfig-cases.json' with { type: 'json' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opsdk-kubeconfig-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readText(text: string): Promise<unknown> {
  const file = join(folder, 'config');
  await writeFile(file, text);
  try {
    const { currentContext, contexts, clusters, users } = await readKubeconfigs([file]);
    return {
      current: currentContext,
      contexts: [...contexts.keys()].sort(),
      clusters: Object.fromEntries(
        [...clusters].map(([name, { value }]) => [
          name,
          { server: value['server'] ?? '', insecure: value['insecure-skip-tls-verify'] ?? false },
        ]),
      ),
      tokens: Object.fromEntries([...users].map(([name, { value }]) => [name, value['token'] ?? ''])),
    };
  } catch (error) {
    if (isOpSdkError(error)) return null;
    throw error;
  }
}

describe('a kubeconfig is read as kubectl reads it', () => {
  test.each(Object.entries(cases))('%s', async (_name, { text, read }) => {
    expect(await readText(text)).toEqual(read);
  });
});

describe('kubeconfigs of the list KUBECONFIG', () => {
  const config = (server: string, context = 'c'): string => `current-context: ${context}
clusters: [{name: c, cluster: {server: '${server}', certificate-authority: ca.crt}}]
contexts: [{name: ${context}, context: {cluster: c}}]
`;

  test('may name one thing each: the first one counts', async () => {
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    await writeFile(a, config('https://a.example'));
    await writeFile(b, config('https://b.example', 'd'));
    const merged = await readKubeconfigs([a, b, a]);
    expect(merged.currentContext).toBe('c');
    expect([...merged.contexts.keys()]).toEqual(['c', 'd']);
    expect(merged.clusters.get('c')?.value).toMatchObject({
      server: 'https://a.example',
      'certificate-authority': join(folder, 'ca.crt'),
    });
  });

  test('must be files: a folder is an error that names it', async () => {
    await expect(loadCluster({ env: { KUBECONFIG: folder } })).rejects.toMatchObject({
      findings: [{ code: 'kube/kubeconfig-unreadable', where: { file: folder } }],
    });
  });
});
