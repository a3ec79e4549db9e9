// The permissions that docs/run-bundle.md lists are enough, and without any of them the command ends with the one that is missing.
import { readFileSync, rmSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { serviceAccountToken, tokenKubeconfig } from '../../../helpers/service-account.ts';
import { demoBundle } from './demo-bundle.ts';
import { playOlmV0 } from './olm-v0.ts';
import { playOlmV1 } from './olm-v1.ts';
import { hasOlm, startSite, type Site } from './site.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

const guide = readFileSync(new URL('../../../../docs/run-bundle.md', import.meta.url), 'utf8');
const [rulesOfV0 = [], rulesOfV1 = [], rulesOfPod = []] = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(
  ([, text = '']) => parse(text) as readonly Rule[],
);

/** Each rule by one resource and one verb. */
function singlesOf(rules: readonly Rule[]): readonly Rule[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    resources.flatMap((resource) =>
      verbs.map((verb) => ({ apiGroups, resources: [resource], verbs: [verb] })),
    ),
  );
}

test('the guide lists permissions', () => {
  expect(singlesOf(rulesOfV0).length).toBeGreaterThan(20);
  expect(singlesOf(rulesOfV1).length).toBeGreaterThan(10);
  expect(singlesOf(rulesOfPod).length).toBe(10);
});

const index = ['--index-image', 'quay.io/operator-framework/opm:latest'];

describe.skipIf(!hasOlm).each([
  ['OLM v0', { version: 'v0', play: playOlmV0, rules: rulesOfV0, needed: rulesOfV0, flags: [] }],
  ['OLM v1', { version: 'v1', play: playOlmV1, rules: rulesOfV1, needed: rulesOfV1, flags: [] }],
  [
    'OLM v0 with --index-image',
    {
      version: 'v0',
      play: playOlmV0,
      rules: [...rulesOfV0, ...rulesOfPod],
      needed: rulesOfPod,
      flags: index,
    },
  ],
] as const)('%s', (_, { version, play, rules, needed, flags }) => {
  let site: Site;
  let folder: string;
  let olm: AsyncDisposable;
  let namespace: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'op-sdk-permissions-'));
    site = await startSite(version);
    olm = play(site.client);
    namespace = await site.namespace('web');
  }, 180_000);
  afterAll(async () => {
    await olm?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  let accounts = 0;
  /** The environment of somebody who has these rights. */
  const envOf = async (permitted: readonly Rule[]) => {
    const name = `account-${accounts++}`;
    const all = permitted.map(({ apiGroups, resources, verbs }) => ({
      ...{ apiGroups: [...apiGroups], resources: [...resources], verbs: [...verbs] },
    }));
    const token = await serviceAccountToken(site.client, 'default', all, name);
    const kubeconfig = join(folder, name);
    writeFileSync(kubeconfig, tokenKubeconfig(site.plane, token));
    return { env: { OPSDK_NO_CACHE: '1', KUBECONFIG: kubeconfig } };
  };
  const run = (command: string, version: string) => [
    ...['run', command, site.folderOf(demoBundle('web', version)), '-n', namespace],
    ...['--push-to', `${site.registry.host}/team/web`, ...flags],
  ];
  const remove = () => [
    ...['cleanup', 'web', '-n', namespace, '--yes', '--delete-operator-groups'],
    ...(version === 'v0' ? ['--delete-crds'] : []),
  ];
  const whole = () => [
    run('bundle', '0.1.0'),
    // It deletes the former Pod and its ConfigMaps.
    ...(flags.length === 0 ? [] : [run('bundle-upgrade', '0.2.0')]),
    remove(),
  ];
  /** Custom resources are the users' own. */
  const own = { apiGroups: ['web.example.com'], resources: ['sites'], verbs: ['get', 'list', 'delete'] };

  test('are enough', async () => {
    const { env } = await envOf([...rules, own]);
    for (const argv of whole()) {
      const { code, stderr } = await site.cli(argv, { env });
      expect(code, stderr).toBe(0);
    }
  });

  test.each(singlesOf(needed).map((rule) => [`${rule.verbs[0]} ${rule.resources[0]}`, rule] as const))(
    'are said if one is missing: %s',
    async (text, missing) => {
      const rest = singlesOf(rules).filter((rule) => JSON.stringify(rule) !== JSON.stringify(missing));
      const { env } = await envOf([...rest, own]);
      const runs = [];
      for (const argv of whole()) {
        runs.push(await site.cli(argv, { env }));
        // With all rights, so that the next command, or the next test, finds what it expects.
        if (runs.at(-1)?.code !== 0) await site.cli(argv);
      }
      const failed = runs.filter(({ code }) => code !== 0);
      const said = failed.map(({ stderr }) => stderr).join('');
      expect(failed.length, text).toBeGreaterThan(0);
      expect(said).toContain('forbidden');
      const [verb = '', resource = ''] = text.split(' ');
      expect(said).toMatch(new RegExp(`${verb}[^\\n]*${resource}|${resource}[^\\n]*${verb}`));
    },
  );
});
