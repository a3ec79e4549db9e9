// The manifests of webhooks and conversions: what the kustomizations get, and what delete api takes out.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  projects,
  api,
  webhook,
  remove,
  code,
  conversion,
  defaultFile,
  withVersions,
  entriesOf,
  rendered,
} from './webhook-project.ts';

afterAll(() => projects.remove());

describe('the manifests', () => {
  test('turn a commented-out list of patches into the list', async () => {
    const project = await withVersions('v1');
    project.edit(defaultFile, (text) => text.replace('\npatches:\n', '\n#patches:\n'));
    await project.done(webhook('v1', '--defaulting'));
    const text = project.read(defaultFile);
    expect(text.match(/^#? ?patches:/gm)).toEqual(['patches:']);
    expect(parse(text)).toMatchObject({ patches: [{ path: 'manager_webhook_patch.yaml' }, {}] });
  });

  test('keep what people have added to the kustomizations', async () => {
    const project = await withVersions('v1');
    const own = '\nreplacements:\n- path: mine.yaml\n';
    project.edit(
      defaultFile,
      (text) => `${text.replace('\npatches:\n', '\npatches:\n- path: mine.yaml\n')}${own}`,
    );
    await project.done(webhook('v1', '--defaulting'));
    const value = parse(project.read(defaultFile)) as { patches: object[]; replacements: object[] };
    expect(value.patches).toHaveLength(3);
    expect(value.replacements[0]).toEqual({ path: 'mine.yaml' });
    expect(value.replacements).toHaveLength(6);
  });

  test('that somebody has no network policies for get none', async () => {
    const project = await withVersions('v1');
    rmSync(join(project.folder, 'config/network-policy'), { recursive: true });
    await project.done(webhook('v1', '--defaulting'));
    expect(Object.keys(project.tree()).filter((path) => path.includes('network-policy'))).toEqual([]);
  });

  test('of the default folder are needed', async () => {
    const project = await withVersions('v1');
    project.edit(defaultFile, () => '- a list\n');
    expect(await project.refused(webhook('v1', '--defaulting'))).toMatchObject([
      { code: 'project/cannot-edit' },
    ]);
  });

  test('let cert-manager make the certificate', async () => {
    const project = await withVersions('v1');
    await project.done(webhook('v1', '--defaulting'));
    const objects = await rendered(project);
    expect(objects).toEqual(
      expect.arrayContaining([
        'Certificate cache-operator-serving-cert',
        'Issuer cache-operator-selfsigned-issuer',
        'MutatingWebhookConfiguration cache-operator-mutating-webhook-configuration',
        'Service cache-operator-webhook-service',
      ]),
    );
  });

  test('let the operator make the certificate, without cert-manager', async () => {
    const project = await withVersions('v1');
    await project.done(webhook('v1', '--programmatic-validation', '--cert-provider', 'self-signed'));
    const objects = await rendered(project);
    expect(objects.filter((each) => /Certificate|Issuer/.test(each))).toEqual([]);
    expect(objects).toContain('ClusterRole cache-operator-webhook-ca-role');
  });
});

describe('delete api', () => {
  // The test of a conversion needs fast-check, which others may use by then.
  const withoutFastCheck = (tree: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(tree).filter(([path]) => path !== 'package.json'));

  test.each([
    ['cert-manager', [webhook('v1', '--defaulting', '--programmatic-validation')]],
    ['self-signed', [webhook('v1', '--defaulting'), webhook('v1', '--programmatic-validation')]],
    [
      'self-signed',
      [webhook('v2', '--conversion', '--defaulting'), webhook('v1', '--programmatic-validation')],
    ],
    ['cert-manager', [webhook('v2', '--conversion')]],
  ])('--sources takes webhooks out again (%s, %#)', async (provider, commands) => {
    const project = await projects.create();
    const before = project.tree();
    await project.done(api('v1'));
    await project.done(api('v2'));
    const [first = [], ...others] = commands;
    await project.done([...first, '--cert-provider', provider]);
    for (const argv of others) await project.done(argv);
    await project.done(remove('--sources'));
    expect(withoutFastCheck(project.tree())).toEqual(withoutFastCheck(before));
  });

  test('of a built-in kind takes its webhooks out again', async () => {
    const project = await projects.create();
    const before = project.tree();
    const pod = ['--group', 'core', '--version', 'v1', '--kind', 'Pod'];
    await project.done(['create', 'webhook', ...pod, '--defaulting']);
    await project.done(['delete', 'api', ...pod, '--sources']);
    expect(project.tree()).toEqual(before);
  });

  test('of one kind leaves the webhooks of another one as they were', async () => {
    const project = await projects.create();
    const other = ['--group', 'db', '--version', 'v1', '--kind', 'Store'];
    await project.done(['create', 'api', ...other]);
    await project.done([
      'create',
      'webhook',
      ...other,
      '--programmatic-validation',
      '--cert-provider',
      'self-signed',
    ]);
    const before = project.tree();
    await project.done(api('v1'));
    await project.done(api('v2'));
    await project.done(webhook('v2', '--conversion', '--defaulting'));
    await project.done(remove('--sources'));
    expect(withoutFastCheck(project.tree())).toEqual(withoutFastCheck(before));
  });

  test('of a version takes it out of the conversion, and the conversion out with its last one', async () => {
    const project = await withVersions('v1beta1', 'v1');
    const before = project.tree();
    await project.done(webhook('v1', '--conversion'));
    const one = project.tree();
    await project.done(api('v1alpha1'));
    await project.done(remove('--version', 'v1alpha1', '--sources'));
    expect(project.read(conversion)).toContain('.spoke(RedisV1beta1,');
    expect(project.read(conversion)).not.toContain('V1alpha1');
    expect(entriesOf(project)[1]).toMatchObject({ webhooks: { spoke: ['v1beta1'] } });
    expect(project.tree()[defaultFile]).toBe(one[defaultFile]);
    await project.done(remove('--version', 'v1beta1', '--sources'));
    expect(project.tree()['src/main.ts']).toBe(before['src/main.ts']);
    expect(project.tree()[defaultFile]).toBe(before[defaultFile]);
    expect(Object.keys(project.tree()).filter((path) => path.includes('conversions'))).toEqual([]);
    expect(entriesOf(project)).toEqual([
      expect.not.objectContaining({ webhooks: expect.anything() as unknown }),
    ]);
  });

  test('refuses to take out the version that others are converted to', async () => {
    const project = await withVersions('v1', 'v2');
    await project.done(webhook('v2', '--conversion'));
    const findings = await project.refused(remove('--version', 'v2', '--sources'));
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'project/version-in-use',
        message: 'version v2 of Redis is still in use: objects of v1 are converted to this version',
      }),
    );
  });

  test('keeps a file of webhooks that was edited, and says so', async () => {
    const project = await withVersions('v1');
    await project.done(webhook('v1', '--defaulting'));
    project.edit(code, (text) => `${text}// Mine.\n`);
    expect(await project.refused(remove('--sources'))).toMatchObject([
      { code: 'scaffold/file-edited', where: { file: code } },
    ]);
  });
});
