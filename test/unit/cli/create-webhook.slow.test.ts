// Webhooks and conversions: what is scaffolded, what is added to code that is there, and what is refused.
import { afterAll, describe, expect, test } from 'vitest';
import {
  projects,
  api,
  webhook,
  code,
  conversion,
  defaultFile,
  types,
  withVersions,
  entriesOf,
} from './webhook-project.ts';

afterAll(() => projects.remove());

describe('create webhook', () => {
  test('records in PROJECT what kubebuilder records', async () => {
    const project = await withVersions('v1alpha1', 'v1');
    await project.done(
      webhook('v1', '--defaulting', '--defaulting-path', '/default-redis', '--programmatic-validation'),
    );
    await project.done(webhook('v1', '--conversion'));
    expect(entriesOf(project)).toMatchObject([
      { version: 'v1alpha1' },
      {
        version: 'v1',
        webhooks: {
          webhookVersion: 'v1',
          defaulting: true,
          defaultingPath: '/default-redis',
          validation: true,
          conversion: true,
          spoke: ['v1alpha1'],
        },
      },
    ]);
    expect(project.read(code)).toContain("defaulting: { path: '/default-redis' },");
    await project.done(['generate', 'manifests', '--check']);
  });

  test('scaffolds a further function into a file that nobody has edited, with its test', async () => {
    const [one, two] = [await withVersions('v1'), await withVersions('v1')];
    await one.done(webhook('v1', '--defaulting'));
    await one.done(webhook('v1', '--programmatic-validation'));
    await two.done(webhook('v1', '--defaulting', '--programmatic-validation'));
    const withoutRecord = ({ PROJECT: _record, ...tree }: Record<string, string>) => tree;
    expect(withoutRecord(one.tree())).toEqual(withoutRecord(two.tree()));
  });

  test('adds a further function to a file that was edited, and changes nothing else of it', async () => {
    const project = await withVersions('v1');
    await project.done(webhook('v1', '--defaulting'));
    project.edit(code, (text) =>
      text.replace('default() {}', "default(redis) {\n    redis.spec.foo ??= 'bar';\n  }"),
    );
    const before = project.read(code);
    const run = await project.done(webhook('v1', '--programmatic-validation', '--validation-path', '/check'));
    expect(project.read(code)).toBe(
      before.replace(
        "'bar';\n  },\n",
        "'bar';\n  },\n  validate: { create: () => [], update: () => [] },\n  validation: { path: '/check' },\n",
      ),
    );
    expect(entriesOf(project)).toMatchObject([{ webhooks: { defaulting: true, validation: true } }]);
    expect(run.stderr).toContain('Next: npm test');
  });

  test('keeps a function that somebody wrote before it was asked for', async () => {
    const project = await withVersions('v1');
    await project.done(webhook('v1', '--defaulting'));
    project.edit(code, (text) =>
      text.replace('default() {},', 'default() {},\n  validate: { delete: () => [] },'),
    );
    const before = project.read(code);
    await project.done(webhook('v1', '--programmatic-validation'));
    expect(project.read(code)).toBe(before);
    expect(entriesOf(project)).toMatchObject([{ webhooks: { defaulting: true, validation: true } }]);
  });

  test.each([
    [
      'no call of defineWebhook',
      (text: string) => text.replaceAll('defineWebhook', 'make'),
      'calls defineWebhook 0 times',
    ],
    [
      'options from elsewhere',
      (text: string) => text.replace(/\{\n {2}\/\/[^]*\}\);/, 'settings);\n'),
      'does not pass the options of defineWebhook as an object literal',
    ],
    ['a spread', (text: string) => text.replace('default() {}', '...others'), 'spreads an object'],
  ])('refuses to edit a file with %s, and says what to write', async (_name, change, problem) => {
    const project = await withVersions('v1');
    await project.done(webhook('v1', '--defaulting'));
    project.edit(code, change);
    const findings = await project.refused(webhook('v1', '--programmatic-validation'));
    expect(findings).toMatchObject([{ code: 'project/cannot-splice', where: { file: code } }]);
    expect(findings[0]?.message).toContain(problem);
    expect(findings[0]?.fix?.[0]).toContain('validate: { create: () => [], update: () => [] },');
  });

  test('of what is there is refused; --force scaffolds it again and keeps the edited file beside it', async () => {
    const project = await withVersions('v1');
    await project.done(webhook('v1', '--defaulting', '--programmatic-validation'));
    const both = webhook('v1', '--defaulting', '--programmatic-validation');
    expect(await project.refused(both)).toMatchObject([
      { code: 'project/webhook-exists', where: { file: code } },
      { code: 'project/webhook-exists' },
    ]);
    const before = project.tree();
    await project.done([...both, '--force']);
    expect(project.tree()).toEqual(before);
    project.edit(code, (text) => `${text}// Mine.\n`);
    await project.done(webhook('v1', '--defaulting', '--force'));
    expect(project.tree()[code]).toBe(before[code]);
    expect(project.read(`${code}.orig`)).toContain('// Mine.');
  });

  test('writes nothing with --dry-run', async () => {
    const project = await withVersions('v1');
    const before = project.tree();
    const run = await project.done(webhook('v1', '--defaulting', '--dry-run', '-o', 'json'));
    expect(project.tree()).toEqual(before);
    const { result } = JSON.parse(run.stdout) as { result: { files: object[]; certProvider: string } };
    expect(result.files).toContainEqual({ action: 'create', path: code });
    expect(result.certProvider).toBe('cert-manager');
  });

  test('names the webhooks of several versions and groups differently in main', async () => {
    const project = await withVersions('v1', 'v2');
    await project.done(webhook('v1', '--defaulting'));
    await project.done(webhook('v2', '--defaulting'));
    await project.done(['create', 'api', '--group', 'db', '--version', 'v1', '--kind', 'Redis']);
    await project.done([
      'create',
      'webhook',
      '--group',
      'db',
      '--version',
      'v1',
      '--kind',
      'Redis',
      '--defaulting',
    ]);
    const main = project.read('src/main.ts');
    for (const name of ['redisWebhook', 'redisV2Webhook', 'dbRedisWebhook'])
      expect(main).toContain(`manager.add(${name});`);
  });

  test('keeps the line ends of Windows', async () => {
    const project = await withVersions('v1', 'v2');
    const edited = ['src/main.ts', 'package.json', defaultFile, types('v1'), types('v2'), 'PROJECT'];
    for (const path of edited) project.edit(path, (text) => text.replaceAll('\n', '\r\n'));
    await project.done(webhook('v2', '--defaulting', '--conversion'));
    for (const path of edited) expect(project.read(path), path).not.toMatch(/[^\r]\n/);
  });
});

describe('create webhook refuses', () => {
  const conversionFlags = ['--conversion', '--spoke', 'v3'];
  test.each([
    ['nothing', [], 'cli/missing-value', 'at least one'],
    [
      'a path of a function that is not asked for',
      ['--defaulting', '--validation-path', '/a'],
      'cli/invalid-value',
      '--programmatic-validation',
    ],
    [
      'a path without a slash',
      ['--defaulting', '--defaulting-path', 'a'],
      'cli/invalid-value',
      'default path',
    ],
    [
      'the path of conversions',
      ['--defaulting', '--defaulting-path', '/convert'],
      'cli/invalid-value',
      'default path',
    ],
    ['--spoke alone', ['--defaulting', '--spoke', 'v2'], 'cli/invalid-value', '--conversion'],
    ['another plural', ['--defaulting', '--plural', 'others'], 'cli/invalid-value', '--plural'],
    ['an unknown provider', ['--defaulting', '--cert-provider', 'none'], 'cli/invalid-value', ''],
    [
      'two functions at one path',
      ['--defaulting', '--programmatic-validation', '--defaulting-path', '/a', '--validation-path', '/a'],
      'cli/invalid-value',
      'another',
    ],
    ['a conversion of the only version', ['--conversion'], 'project/resource-missing', 'create api'],
  ] as const)('%s', async (_name, flags, expected, fix) => {
    const project = await withVersions('v1');
    const before = project.tree();
    const run = await project.refused(webhook('v1', ...flags), expected.startsWith('cli/') ? 2 : 1);
    expect(run[0]).toMatchObject({ code: expected });
    expect(run[0]?.fix?.join() ?? '').toContain(fix);
    expect(project.tree()).toEqual(before);
  });

  test('a kind and a version that the project does not have', async () => {
    const project = await withVersions('v1', 'v2');
    expect(await project.refused(webhook('v3', '--defaulting'))).toMatchObject([
      {
        code: 'project/resource-missing',
        fix: [expect.stringContaining('v1, v2'), expect.anything(), expect.anything()],
      },
    ]);
    expect(await project.refused(webhook('v2', ...conversionFlags))).toMatchObject([
      { code: 'project/resource-missing', message: 'Redis has no version v3' },
    ]);
  });

  test('a path that another kind has', async () => {
    const project = await withVersions('v1', 'v2');
    await project.done(
      webhook('v1', '--defaulting', '--defaulting-path', '/mutate-cache-example-com-v2-redis'),
    );
    expect(await project.refused(webhook('v2', '--defaulting'), 2)).toMatchObject([
      {
        code: 'cli/invalid-value',
        message: expect.stringContaining('cache.example.com/v1, Kind=Redis') as string,
      },
    ]);
  });

  test('all of what is wrong with the flags at once', async () => {
    const project = await withVersions('v1');
    const flags = ['--spoke', 'v1,v1,2', '--defaulting-path', 'x', '--validation-path', '/a b'];
    const findings = await project.refused(webhook('v1', ...flags), 2);
    expect(findings.length).toBeGreaterThan(6);
  });

  test('another provider than the project has, and says how to change it', async () => {
    const project = await withVersions('v1');
    await project.done(webhook('v1', '--defaulting', '--cert-provider', 'self-signed'));
    const other = webhook('v1', '--programmatic-validation', '--cert-provider', 'cert-manager');
    const [finding] = await project.refused(other);
    expect(finding).toMatchObject({ code: 'project/cert-provider' });
    expect(finding?.fix?.join()).toContain('delete config/default/manager_webhook_patch.yaml');
    await project.done(webhook('v1', '--programmatic-validation', '--cert-provider', 'self-signed'));
  });

  test('kinds of Kubernetes that webhooks are not asked about, unknown ones, and conversions of any', async () => {
    const project = await projects.create();
    const foreign = (group: string, kind: string, ...flags: string[]): string[] => [
      ...['create', 'webhook', '--group', group, '--version', 'v1', '--kind', kind],
      ...flags,
    ];
    const configuration = foreign('admissionregistration', 'ValidatingWebhookConfiguration', '--defaulting');
    expect(await project.refused(configuration)).toMatchObject([{ code: 'project/not-admitted' }]);
    expect(await project.refused(foreign('apps', 'Deploymnt', '--defaulting'))).toMatchObject([
      { code: 'project/unknown-built-in-kind', fix: ['did you mean --kind Deployment?'] },
    ]);
    expect(await project.refused(foreign('core', 'Pod', '--conversion'), 2)).toMatchObject([
      { code: 'cli/invalid-value', where: { flag: '--conversion' } },
    ]);
  });
});

describe('create webhook --conversion', () => {
  test('stores objects in the version that others are converted to', async () => {
    const project = await withVersions('v1', 'v2');
    const run = await project.done(webhook('v2', '--conversion'));
    expect(project.read(types('v2'))).toContain('storage: true');
    expect(project.read(types('v1'))).not.toContain('storage');
    expect(run.stderr).toContain('those in v1 stay so until they are written again');
    expect(JSON.parse(project.read('package.json'))).toMatchObject({
      devDependencies: { 'fast-check': expect.stringMatching(/^\^/) as string },
    });
    await project.done(['generate', 'manifests', '--check']);
  });

  test('names the fields that both versions have', async () => {
    const project = await withVersions('v1');
    project.edit(types('v1'), (text) =>
      text.replace('  status?: RedisStatus;\n', '  extra?: RedisStatus;\n'),
    );
    await project.done(api('v2'));
    project.edit(types('v2'), (text) =>
      text.replace('  spec: RedisSpec;\n', '  spec: RedisSpec;\n  more?: string;\n'),
    );
    await project.done(webhook('v2', '--conversion'));
    expect(project.read(conversion)).toContain('to: ({ spec, extra }) => ({ spec, extra })');
  });

  test('of some of the versions that are served is refused: the others could not be converted', async () => {
    const project = await withVersions('v1alpha1', 'v1beta1', 'v1');
    expect(await project.refused(webhook('v1', '--conversion', '--spoke', 'v1alpha1'))).toMatchObject([
      { code: 'manifests/conversion-versions' },
    ]);
  });

  test('takes a further version of the kind in, also into a file that was edited', async () => {
    const project = await withVersions('v1alpha1', 'v1');
    await project.done(webhook('v1', '--conversion'));
    // As git may have checked it out, which does not count as an edit.
    project.edit(conversion, (text) => text.replaceAll('\n', '\r\n'));
    await project.done(api('v1beta1'));
    expect(project.read(conversion)).toContain('.spoke(RedisV1beta1,');
    expect(project.read(conversion)).not.toMatch(/[^\r]\n/);
    project.edit(conversion, (text) => text.replaceAll('\r\n', '\n'));
    project.edit(conversion, (text) =>
      text.replace('to: ({ spec, status }) =>', 'to: ({ spec, status }) => /* mine */'),
    );
    const before = project.read(conversion);
    await project.done(api('v2alpha1'));
    expect(project.read(conversion)).toBe(
      before
        .replace(
          "from '../../api/cache/v1beta1/redis.ts';\n",
          "from '../../api/cache/v1beta1/redis.ts';\nimport { Redis as RedisV2alpha1 } from '../../api/cache/v2alpha1/redis.ts';\n",
        )
        .replace(
          /  \}\);\n$/,
          '  })\n  .spoke(RedisV2alpha1, {\n    to: ({ spec, status }) => ({ spec, status }),\n    from: ({ spec, status }) => ({ spec, status }),\n  });\n',
        ),
    );
    expect(entriesOf(project)[1]).toMatchObject({
      webhooks: { spoke: ['v1alpha1', 'v1beta1', 'v2alpha1'] },
    });
    await project.done(['generate', 'manifests', '--check']);
  });

  test('of versions that are converted already is refused, and so is a second version to convert to', async () => {
    const project = await withVersions('v1', 'v2');
    await project.done(webhook('v2', '--conversion'));
    for (const flags of [['--conversion'], ['--conversion', '--spoke', 'v1']])
      expect(await project.refused(webhook('v2', ...flags))).toMatchObject([
        { code: 'project/webhook-exists' },
      ]);
    const [finding] = await project.refused(webhook('v1', '--conversion'));
    expect(finding).toMatchObject({ code: 'project/webhook-exists' });
    expect(finding?.fix?.[0]).toContain('--version v2 --conversion --spoke v1');
  });
});
