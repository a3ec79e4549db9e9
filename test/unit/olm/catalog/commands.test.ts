// From a bundle to a catalogue in a registry, and back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../../helpers/run-cli.ts';
import { scriptedRegistry } from '../../../helpers/scripted-registry.ts';
import { bundleOf, image, succeed } from './web-operator.ts';

describe('catalog add', () => {
  test('creates the package, and adds further versions without changing anything else', async () => {
    const first = bundleOf('0.1.0');
    const cwd = join(first, '..');
    const file = join(cwd, 'catalog/web-operator/catalog.yaml');
    await succeed(cwd, 'catalog', 'add', 'bundle', ...image);
    const written = readFileSync(file, 'utf8');
    expect(await succeed(cwd, 'catalog', 'validate')).toBe(
      'The catalogue is valid: 1 package, 1 channel, 1 bundle\n',
    );
    await succeed(cwd, 'catalog', 'add', 'bundle', ...image);
    expect(readFileSync(file, 'utf8')).toBe(written);
    const edited = written.replace(
      'entries:\n- name: web-operator.v0.1.0',
      'entries:\n# ours\n- {name: web-operator.v0.1.0} # the first',
    );
    expect(edited).not.toBe(written);
    writeFileSync(file, edited);
    const second = bundleOf('0.2.0', (bundle) => {
      bundle.csv.spec.replaces = 'web-operator.v0.1.0';
      bundle.csv.metadata.annotations['olm.skipRange'] = '<0.2.0';
    });
    await succeed(cwd, 'catalog', 'add', second, '--channels', 'stable,fast', ...image);
    const after = readFileSync(file, 'utf8');
    const entry = '- name: web-operator.v0.2.0\n  replaces: web-operator.v0.1.0\n  skipRange: <0.2.0\n';
    const before = edited.replace('# the first\n', `# the first\n${entry}`);
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length)).toMatch(
      /^---\nentries:\n- name: web-operator\.v0\.2\.0\n(?:.*\n)*---\nimage: /,
    );
    await succeed(cwd, 'catalog', 'add', second, '--channels', 'stable,fast', ...image);
    expect(readFileSync(file, 'utf8')).toBe(after);
    expect(await succeed(cwd, 'catalog', 'list', 'catalog', 'web-operator')).toBe(
      [
        'CHANNEL           VERSION  BUNDLE               UPDATES FROM',
        'stable (default)  0.2.0    web-operator.v0.2.0  web-operator.v0.1.0',
        'stable (default)  0.1.0    web-operator.v0.1.0',
        'fast              0.2.0    web-operator.v0.2.0  web-operator.v0.1.0',
        '',
      ].join('\n'),
    );
  });

  test('refuses a second newest version, and what is there with other content', async () => {
    const cwd = join(bundleOf('0.1.0'), '..');
    await succeed(cwd, 'catalog', 'add', 'bundle', ...image);
    const file = join(cwd, 'catalog/web-operator/catalog.yaml');
    const before = readFileSync(file, 'utf8');
    const second = await runCli(['catalog', 'add', bundleOf('0.2.0'), ...image], { cwd });
    expect(second.stderr).toContain('error[catalog/several-heads]');
    expect(second.stderr).toContain('fix: name the version that web-operator.v0.2.0 replaces: --replaces');
    const other = bundleOf('0.1.0', (bundle) => (bundle.csv.spec.displayName = 'Other'));
    const changed = await runCli(['catalog', 'add', other, ...image], { cwd });
    expect(changed.stderr).toContain('error[catalog/duplicate]');
    expect([second.code, changed.code, readFileSync(file, 'utf8')]).toEqual([1, 1, before]);
  });
});

describe('catalog render', () => {
  test('gives a bundle the properties and related images that opm gives it', async () => {
    const bundle = bundleOf('0.1.0', ({ csv, files }) => {
      csv.spec.relatedImages = [{ name: 'web', image: 'example.com/web:1' }];
      csv.spec.customresourcedefinitions.required = [
        { name: 'b.other.example.com', version: 'v1', kind: 'B' },
      ];
      files['metadata/dependencies.yaml'] = {
        dependencies: [
          { type: 'olm.package', value: { packageName: 'p', version: '>=1.0.0' } },
          { type: 'olm.gvk', value: { group: 'g.example.com', kind: 'G', version: 'v1' } },
          { type: 'olm.constraint', value: { failureMessage: 'm', cel: { rule: 'true' } } },
        ],
      };
      files['metadata/properties.yaml'] = {
        properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.20' }],
      };
    });
    const text = await succeed(bundle, 'catalog', 'render', bundle, ...image, '-o', 'json');
    const required = (group: string, kind: string) => ({
      type: 'olm.gvk.required',
      value: { group, kind, version: 'v1' },
    });
    const document = {
      schema: 'olm.bundle',
      name: 'web-operator.v0.1.0',
      package: 'web-operator',
      image: 'registry.example.com/web-operator/bundle:v0.1.0',
      properties: [
        { type: 'olm.constraint', value: { cel: { rule: 'true' }, failureMessage: 'm' } },
        { type: 'olm.gvk', value: { group: 'example.com', kind: 'Site', version: 'v1' } },
        required('g.example.com', 'G'),
        required('other.example.com', 'B'),
        { type: 'olm.maxOpenShiftVersion', value: '4.20' },
        { type: 'olm.package', value: { packageName: 'web-operator', version: '0.1.0' } },
        { type: 'olm.package.required', value: { packageName: 'p', versionRange: '>=1.0.0' } },
        {
          type: 'olm.csv.metadata',
          value: {
            annotations: {
              'alm-examples': '[{"apiVersion":"example.com/v1","kind":"Site","metadata":{"name":"a"}}]',
            },
            apiServiceDefinitions: {},
            crdDescriptions: {
              owned: [{ name: 'sites.example.com', version: 'v1', kind: 'Site' }],
              required: [{ name: 'b.other.example.com', version: 'v1', kind: 'B' }],
            },
            displayName: 'Web Operator',
            installModes: [{ type: 'AllNamespaces', supported: true }],
            minKubeVersion: '1.32.0',
            provider: {},
          },
        },
      ],
      relatedImages: [
        { name: '', image: 'example.com/web-operator:0.1.0' },
        { name: 'web', image: 'example.com/web:1' },
        { name: '', image: 'registry.example.com/web-operator/bundle:v0.1.0' },
      ],
    };
    expect(text).toBe(`${JSON.stringify(document, null, 4)}\n`);
  });

  test('makes channels from a template, as opm does', async () => {
    const cwd = join(bundleOf('0.1.0'), '..');
    const versions = ['1.0.0', '1.0.1', '1.1.0', '1.1.2', '2.0.0'];
    const folders = versions.map((version) => bundleOf(version));
    const bundles = (from: number, to: number) => ({
      bundles: folders.slice(from, to).map((folder) => ({ image: folder })),
    });
    const template = {
      schema: 'olm.semver',
      generateMajorChannels: true,
      generateMinorChannels: true,
      candidate: bundles(0, 5),
      stable: bundles(0, 4),
    };
    writeFileSync(join(cwd, 'template.yaml'), JSON.stringify(template));
    const text = await succeed(cwd, 'catalog', 'render', 'template.yaml', ...image);
    writeFileSync(join(cwd, 'catalog.yaml'), text);
    const listed = JSON.parse(await succeed(cwd, 'catalog', 'list', 'catalog.yaml', '-o', 'json')) as {
      result: { packages: readonly { defaultChannel: string; channels: readonly { name: string }[] }[] };
    };
    const [own] = listed.result.packages;
    expect(own?.defaultChannel).toBe('stable-v1.1');
    expect(own?.channels.map(({ name }) => name)).toEqual([
      ...['candidate-v1', 'candidate-v1.0', 'candidate-v1.1', 'candidate-v2', 'candidate-v2.0'],
      ...['stable-v1', 'stable-v1.0', 'stable-v1.1'],
    ]);
    expect(text).toContain(
      [
        'entries:',
        '- name: web-operator.v1.0.0',
        '- name: web-operator.v1.0.1',
        '  skips:',
        '  - web-operator.v1.0.0',
        '- name: web-operator.v1.1.0',
        '- name: web-operator.v1.1.2',
        '  replaces: web-operator.v1.0.1',
        '  skips:',
        '  - web-operator.v1.0.0',
        '  - web-operator.v1.1.0',
        'name: stable-v1\n',
      ].join('\n'),
    );
    await succeed(cwd, 'catalog', 'validate', 'catalog.yaml');
  });

  test('needs the image of a bundle in a folder', async () => {
    const { code, stderr } = await runCli(['catalog', 'render', bundleOf('0.1.0')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[catalog/not-renderable]')]);
  });
});

test('a catalogue that is built and pushed is read back as it is', async () => {
  await using registry = await scriptedRegistry();
  const cwd = join(bundleOf('0.1.0'), '..');
  await succeed(cwd, 'catalog', 'add', 'bundle', ...image);
  writeFileSync(join(cwd, 'catalog/.indexignore'), '*.md\n');
  writeFileSync(join(cwd, 'catalog/README.md'), '# Catalogue\n');
  const tag = `${registry.host}/team/catalog:v1`;
  const built = await succeed(cwd, 'catalog', 'build', '--tag', tag);
  expect(await succeed(cwd, 'catalog', 'build', '--tag', tag)).toBe(built);
  const pushed = await succeed(cwd, 'catalog', 'push');
  const reference = built.trim();
  // containers/image refuses a tag beside the digest.
  const pinned = reference.replace(':v1@', '@');
  expect(pushed).toBe(`# ${reference}
---
apiVersion: operators.coreos.com/v1alpha1
kind: CatalogSource
metadata:
  name: catalog
  namespace: olm
spec:
  displayName: catalog
  grpcPodConfig:
    extractContent:
      catalogDir: /configs
    securityContextConfig: restricted
  image: ${pinned}
  sourceType: grpc
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterCatalog
metadata:
  name: catalog
spec:
  source:
    image:
      ref: ${pinned}
    type: Image
`);
  const own = await succeed(cwd, 'catalog', 'render', 'catalog');
  expect(await succeed(cwd, 'catalog', 'render', reference)).toBe(own);
  expect(await succeed(cwd, 'catalog', 'diff', 'catalog', reference, '--fail-on', 'any')).toBe(
    'No differences\n',
  );
  await succeed(cwd, 'catalog', 'add', bundleOf('0.2.0'), '--replaces', 'web-operator.v0.1.0', ...image);
  const { code, stdout } = await runCli(['catalog', 'diff', reference, 'catalog', '--fail-on', 'any'], {
    cwd,
  });
  expect([code, stdout]).toEqual([
    1,
    '+ bundle web-operator web-operator.v0.2.0\n+ channel web-operator stable/web-operator.v0.2.0\n',
  ]);
});

describe('opm templates', () => {
  const basic = (images: readonly string[], more: readonly object[] = []) => ({
    schema: 'olm.template.basic',
    entries: [
      { schema: 'olm.package', name: 'web-operator', defaultChannel: 'stable' },
      {
        schema: 'olm.channel',
        package: 'web-operator',
        name: 'stable',
        entries: [{ name: 'web-operator.v0.1.0' }],
      },
      ...images.map((image) => ({ schema: 'olm.bundle', image })),
      ...more,
    ],
  });
  const write = (cwd: string, file: string, value: object): void =>
    writeFileSync(join(cwd, file), JSON.stringify(value));

  test('the basic one is rendered: its documents, and the bundles of its images', async () => {
    const bundle = bundleOf('0.1.0');
    const cwd = join(bundle, '..');
    write(cwd, 'template.yaml', basic([bundle]));
    const rendered = await succeed(cwd, 'catalog', 'render', 'template.yaml', '-o', 'json', ...image);
    const alone = await succeed(cwd, 'catalog', 'render', 'bundle', '-o', 'json', ...image);
    expect(rendered).toContain('"schema": "olm.package"');
    expect(rendered).toContain('"schema": "olm.channel"');
    expect(rendered.endsWith(alone)).toBe(true);
    expect(rendered).not.toContain('olm.template.basic');
    writeFileSync(join(cwd, 'catalog.json'), rendered);
    expect(await succeed(cwd, 'catalog', 'validate', 'catalog.json')).toBe(
      'The catalogue is valid: 1 package, 1 channel, 1 bundle\n',
    );
  });

  test.each([
    [
      'a bundle with more than its image',
      { schema: 'olm.bundle', image: 'x', package: 'p' },
      'entries.2.package',
    ],
    ['a bundle without an image', { schema: 'olm.bundle', name: 'x' }, 'entries.2: the bundle has no image'],
    ['an entry without a schema', { name: 'x' }, 'entries[2]: expected a document with a schema'],
  ])('the basic one with %s is refused', async (_what, entry, message) => {
    const cwd = join(bundleOf('0.1.0'), '..');
    write(cwd, 'template.yaml', basic([], [entry]));
    const { code, stderr } = await runCli(['catalog', 'render', 'template.yaml'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).toContain('error[catalog/invalid-template]');
  });

  test('a slip in a schema of the basic one is named', async () => {
    const cwd = join(bundleOf('0.1.0'), '..');
    write(cwd, 'template.yaml', basic([], [{ schema: 'olm.chanel', package: 'web-operator', name: 'beta' }]));
    const { code, stdout, stderr } = await runCli(['catalog', 'render', 'template.yaml'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('schema: olm.chanel')]);
    expect(stderr).toContain('warning[catalog/unknown-schema]: unknown schema "olm.chanel"');
    expect(stderr).toContain('at template.yaml:1');
  });

  test('the image of a bundle that cannot be read is named', async () => {
    const cwd = join(bundleOf('0.1.0'), '..');
    write(cwd, 'template.yaml', basic(['127.0.0.1:1/example/bundle:v0.1.0']));
    const { code, stderr } = await runCli(['catalog', 'render', 'template.yaml', '--plain-http'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('127.0.0.1:1/example/bundle:v0.1.0')]);
  });

  test('one that is not rendered, or has a second document, is refused', async () => {
    const cwd = join(bundleOf('0.1.0'), '..');
    write(cwd, 'substitutes.yaml', { schema: 'olm.template.substitutes', entries: [] });
    const substitutes = await runCli(['catalog', 'render', 'substitutes.yaml'], { cwd });
    expect([substitutes.code, substitutes.stderr]).toEqual([1, expect.stringContaining('are not supported')]);
    writeFileSync(
      join(cwd, 'two.yaml'),
      `${JSON.stringify(basic([join(cwd, 'bundle')]))}\n---\n{"schema":"olm.package","name":"b"}\n`,
    );
    const two = await runCli(['catalog', 'render', 'two.yaml'], { cwd });
    expect([two.code, two.stderr]).toEqual([1, expect.stringContaining('expected one document')]);
  });

  test('one in the place of a catalogue, or a slip in a schema, is named, and no image without packages is made', async () => {
    const cwd = join(bundleOf('0.1.0'), '..');
    write(cwd, 'template.yaml', basic(['quay.io/example/bundle:v1']));
    const tag = ['--tag', 'registry.example.com/team/catalog:v1'];
    const judged = await runCli(['catalog', 'validate', 'template.yaml'], { cwd });
    expect([judged.code, judged.stderr]).toEqual([0, expect.stringContaining('warning[catalog/no-package]')]);
    expect(judged.stderr).toContain(
      'expected documents of a catalogue, got a template (schema olm.template.basic)',
    );
    const strict = await runCli(['catalog', 'validate', 'template.yaml', '--strict'], { cwd });
    expect(strict.code).toBe(1);
    for (const argv of [
      ['catalog', 'build', 'template.yaml', ...tag],
      ['catalog', 'list', 'template.yaml'],
    ])
      expect((await runCli(argv, { cwd })).code, argv.join(' ')).toBe(1);
    write(cwd, 'slip.yaml', { schema: 'olm.bundel', name: 'x' });
    const slip = await runCli(['catalog', 'validate', 'slip.yaml'], { cwd });
    expect(slip.stderr).toContain('unknown schema "olm.bundel"');
    expect(slip.stderr).toContain('write schema: olm.bundle');
    write(cwd, 'own.yaml', { schema: 'io.example.notes', name: 'x' });
    const own = await runCli(['catalog', 'validate', 'own.yaml'], { cwd });
    expect(own.stderr).not.toContain('unknown schema');
  });
});

test('catalog list shows updates from other channels by skipRange, as both OLMs make them', async () => {
  const cwd = join(bundleOf('0.1.0'), '..');
  const bundle = (version: string) => ({
    schema: 'olm.bundle',
    package: 'demo',
    name: `demo.v${version}`,
    image: `example.com/demo:v${version}`,
    properties: [{ type: 'olm.package', value: { packageName: 'demo', version } }],
  });
  const documents = [
    { schema: 'olm.package', name: 'demo', defaultChannel: 'stable' },
    { schema: 'olm.channel', package: 'demo', name: 'alpha', entries: [{ name: 'demo.v0.3.0' }] },
    {
      schema: 'olm.channel',
      package: 'demo',
      name: 'stable',
      entries: [{ name: 'demo.v1.0.0' }, { name: 'demo.v1.1.0', skipRange: '<1.1.0' }],
    },
    ...['0.3.0', '1.0.0', '1.1.0'].map(bundle),
  ];
  writeFileSync(join(cwd, 'catalog.json'), documents.map((each) => JSON.stringify(each)).join('\n'));
  expect(await succeed(cwd, 'catalog', 'list', 'catalog.json', 'demo')).toMatch(
    /^stable \(default\) +1\.1\.0 +demo\.v1\.1\.0 +demo\.v1\.0\.0 demo\.v0\.3\.0 \(alpha\)$/m,
  );
  const { result } = JSON.parse(
    await succeed(cwd, 'catalog', 'list', 'catalog.json', 'demo', '-o', 'json'),
  ) as {
    result: { channels: { name: string; versions: { updatesFromOtherChannels: string[] }[] }[] };
  };
  expect(
    result.channels.map(({ name, versions }) => [
      name,
      ...versions.map((each) => each.updatesFromOtherChannels),
    ]),
  ).toEqual([
    ['alpha', []],
    ['stable', ['demo.v0.3.0'], []],
  ]);
});

test('what a killed command left in a catalogue and in a bundle is not read', async () => {
  const bundle = bundleOf('0.1.0');
  const cwd = join(bundle, '..');
  await succeed(cwd, 'catalog', 'add', 'bundle', ...image);
  for (const path of [
    'catalog/web-operator/.catalog.yaml.0123456789ab.new',
    'bundle/manifests/.csv.yaml.0123456789ab.old',
  ])
    writeFileSync(join(cwd, path), 'half a docu');
  expect(await succeed(cwd, 'catalog', 'validate')).toBe(
    'The catalogue is valid: 1 package, 1 channel, 1 bundle\n',
  );
  await succeed(cwd, 'bundle', 'validate', 'bundle');
});
