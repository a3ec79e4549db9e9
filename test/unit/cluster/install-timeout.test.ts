import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { scriptedServer, type Exchange, type ScriptedServer } from '../sdk/kube/support/scripted-server.ts';

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'webs.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Web', listKind: 'WebList', plural: 'webs', singular: 'web' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** An API server that accepts the definition, and never serves it. */
function accept(each: Exchange): void {
  const { path, method } = each;
  if (path === '/api') each.reply(200, { kind: 'APIVersions', versions: ['v1'] });
  else if (path === '/api/v1')
    each.reply(200, { kind: 'APIResourceList', groupVersion: 'v1', resources: [] });
  else if (path === '/apis') {
    const version = { groupVersion: 'apiextensions.k8s.io/v1', version: 'v1' };
    const group = { name: 'apiextensions.k8s.io', versions: [version], preferredVersion: version };
    each.reply(200, { kind: 'APIGroupList', groups: [group] });
  } else if (path === '/apis/apiextensions.k8s.io/v1') {
    const name = 'customresourcedefinitions';
    const type = {
      name,
      singularName: '',
      namespaced: false,
      kind: crd.kind,
      verbs: ['get', 'patch', 'create'],
    };
    each.reply(200, { kind: 'APIResourceList', groupVersion: 'apiextensions.k8s.io/v1', resources: [type] });
  } else if (method === 'POST') each.reply(201, crd);
  else if (method === 'PATCH') each.reply(200, { ...crd, metadata: { ...crd.metadata, uid: '1' } });
  else each.reply(200, { ...crd, status: { conditions: [] } });
}

let folder: string;
let server: ScriptedServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-install-'));
  server = await scriptedServer('http1', accept);
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test.each(['install', 'deploy'])(
  '%s waits no longer for a definition to be served than --timeout says',
  async (command) => {
    await writeFile(join(folder, 'crd.yaml'), JSON.stringify(crd));
    await writeFile(
      join(folder, 'config'),
      JSON.stringify({
        'current-context': 'x',
        contexts: [{ name: 'x', context: { cluster: 'c' } }],
        clusters: [{ name: 'c', cluster: { server: server.cluster.server.origin } }],
      }),
    );
    const written: string[] = [];
    const sink = { write: (text: string) => void written.push(text), colors: false };
    const code = await main(
      [command, '-f', 'crd.yaml', '--kubeconfig', join(folder, 'config'), '--timeout', '300ms'],
      {
        cwd: folder,
        env: {},
        stdout: sink,
        stderr: sink,
        terminal: false,
        readStdin: () => Promise.resolve(''),
        signal: new AbortController().signal,
      },
    );
    expect(code).toBe(1);
    expect(written.join('')).toContain('error[cluster/crd-not-served]');
    expect(written.join('')).toContain('after 300ms');
    expect(written.join('')).toContain('--timeout');
  },
);
