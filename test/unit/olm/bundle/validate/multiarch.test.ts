import { describe, expect, test } from 'vitest';
import { allRules } from '../../../../../src/olm/bundle/validate/rules/index.ts';
import { OpSdkError } from '../../../../../src/base/errors/index.ts';
import {
  imagePlatforms,
  joinPlatforms,
  readIndex,
  sha256,
  type ImageContent,
  type Platform,
} from '../../../../../src/images/index.ts';
import { pushImage } from '../../../../../src/images/registry/push-image.ts';
import { runCli } from '../../../../helpers/run-cli.ts';
import { quickOptions, scriptedRegistry } from '../../../../helpers/scripted-registry.ts';
import { amd64, arm64, smallImage } from '../../../images/images.ts';
import type { Loose } from '../objects.ts';
import { deploymentOf, judge, lineOf, smallBundle, writeBundle } from './bundle-folder.ts';

const manager = 'example.com/web-operator:0.1.0';
const sidecar = 'example.com/sidecar:1';
const both = 'linux/amd64,linux/arm64';
const podOf = (bundle: Loose): Loose => deploymentOf(bundle).spec.template.spec;
const add = (name: string, image: string): ((bundle: Loose) => void) => {
  return (bundle) => void (podOf(bundle).containers as Loose[]).push({ name, image });
};
const relate =
  (image: string) =>
  (bundle: Loose): void =>
    void (bundle.csv.spec.relatedImages = [{ name: 'a', image }]);
const label =
  (...names: readonly string[]) =>
  (bundle: Loose): void => {
    const labels = names.map((name) => [`operatorframework.io/${name}`, 'supported'] as const);
    bundle.csv.metadata.labels = { ...bundle.csv.metadata.labels, ...Object.fromEntries(labels) };
  };
const nodesFor =
  (...architectures: readonly string[]) =>
  (bundle: Loose): void => {
    const matchExpressions = [
      { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
      { key: 'kubernetes.io/arch', operator: 'In', values: architectures },
    ];
    podOf(bundle).affinity = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
      },
    };
  };

/** A case: what it is, what is changed, the platforms of images, and each finding as `code: the line that it is about`. */
type Case = readonly [
  what: string,
  changes: readonly ((bundle: Loose) => void)[],
  images: Readonly<Record<string, string>>,
  findings: readonly string[],
];

const cases: readonly Case[] = [
  ['one platform, the default', [nodesFor('amd64')], { [manager]: 'linux/amd64' }, []],
  [
    'several, with labels',
    [label('arch.amd64', 'arch.arm64'), nodesFor('amd64', 'arm64')],
    { [manager]: both },
    [],
  ],
  ['no node affinity', [], { [manager]: 'linux/amd64' }, [`bundle/node-affinity: image: ${manager}`]],
  [
    'another architecture, with its label',
    [label('arch.s390x'), nodesFor('s390x')],
    { [manager]: 'linux/s390x' },
    [],
  ],
  [
    'no label, and another architecture',
    [nodesFor('s390x')],
    { [manager]: 'linux/s390x' },
    [`bundle/unsupported-platform: image: ${manager}`, 'bundle/platform-label: metadata:'],
  ],
  [
    'labels for less than the image has',
    [label('arch.amd64'), nodesFor('amd64', 'arm64')],
    { [manager]: both },
    ['bundle/platform-label: labels:'],
  ],
  [
    'a label that only contains the name of an architecture',
    [label('arch.arm64'), nodesFor('arm', 'arm64')],
    { [manager]: 'linux/arm,linux/arm64' },
    ['bundle/platform-label: labels:'],
  ],
  [
    'a sidecar for less than the manager',
    [label('arch.amd64', 'arch.arm64'), nodesFor('amd64', 'arm64'), add('sidecar', sidecar)],
    { [manager]: both, [sidecar]: 'linux/amd64' },
    [
      `bundle/unsupported-platform: image: ${sidecar}`,
      `bundle/image-platforms: image: ${sidecar}`,
      `bundle/node-affinity: image: ${sidecar}`,
    ],
  ],
  [
    'a related image of another system',
    [nodesFor('amd64'), relate(sidecar)],
    { [manager]: 'linux/amd64', [sidecar]: 'windows/amd64' },
    [`bundle/unsupported-platform: image: ${sidecar}`, `bundle/image-platforms: image: ${sidecar}`],
  ],
  [
    'node affinity for more than the image',
    [nodesFor('amd64', 'arm64')],
    { [manager]: 'linux/amd64' },
    [`bundle/node-affinity: image: ${manager}`],
  ],
  [
    'an image that cannot be asked for',
    [relate(sidecar), nodesFor('amd64')],
    { [manager]: 'linux/amd64' },
    [`bundle/image-not-inspected: image: ${sidecar}`],
  ],
  [
    'no container named manager: all but the proxy are',
    [
      nodesFor('amd64'),
      (bundle) => void (podOf(bundle).containers[0].name = 'operator'),
      add('kube-rbac-proxy', sidecar),
    ],
    { [manager]: 'linux/amd64', [sidecar]: both },
    [`bundle/node-affinity: image: ${sidecar}`],
  ],
];

describe('multiarch', () => {
  test.each(cases)('%s', async (_what, changes, images, expected) => {
    const platformsOf = async (image: string): Promise<readonly Platform[]> => {
      const platforms = images[image];
      if (platforms === undefined)
        throw new OpSdkError({ code: 'oci/not-found', message: 'it is not there' });
      return platforms.split(',').map((text) => {
        const [os = '', architecture = ''] = text.split('/');
        return { os, architecture };
      });
    };
    const change = (bundle: Loose): void => {
      for (const each of changes) each(bundle);
    };
    const { errors, warnings, cwd } = await judge(change, {
      optional: ['multiarch'],
      settings: { platformsOf },
    });
    const found = [...errors, ...warnings].map((finding) => {
      const line = lineOf(finding, cwd).trim().replace(/^- /, '');
      return `${finding.code}: ${line}`;
    });
    expect(found).toEqual(expected);
    for (const { code, validators } of errors) {
      expect(validators).toEqual(['multiarch']);
      expect(allRules()).toContainEqual(expect.objectContaining({ code, validator: 'multiarch' }));
    }
  });

  test('is not among all, as it asks registries', async () => {
    const cwd = writeBundle(smallBundle());
    const run = async (selector: string): Promise<readonly string[]> => {
      const argv = ['bundle', 'validate', '-o', 'json', '--select-optional', selector];
      const { results } = JSON.parse((await runCli(argv, { cwd })).stdout) as {
        readonly results: readonly { readonly validator: string }[];
      };
      return results.map(({ validator }) => validator);
    };
    expect(await run('all')).not.toContain('multiarch');
  });

  test('asks a registry for what an image runs on, for each image once', async () => {
    await using registry = await scriptedRegistry();
    const image = `${registry.host}/team/web:1`;
    const content = joinPlatforms([smallImage({ platform: amd64 }), smallImage({ platform: arm64 })], 'oci');
    await pushImage({ registry: registry.host, repository: 'team/web', tag: '1' }, content, quickOptions());
    const bundle = smallBundle();
    podOf(bundle).containers[0].image = image;
    const cwd = writeBundle(bundle);
    const before = registry.lines(/GET .*manifests\/1$/).length;
    const argv = ['bundle', 'validate', 'bundle', './bundle', '--select-optional=multiarch', '--plain-http'];
    const run = await runCli(argv, { cwd });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain(
      `${image} runs on amd64, arm64, but the labels of the ClusterServiceVersion do not declare this`,
    );
    expect(registry.lines(/GET .*manifests\/1$/).length - before).toBe(1);
  });
});

describe('the platforms of an image', () => {
  test('are those of its index, without attestations', async () => {
    const content = joinPlatforms(
      [smallImage(), smallImage({ platform: { os: 'unknown', architecture: 'unknown' } })],
      'oci',
    );
    expect(await imagePlatforms(content, 'web')).toEqual([amd64]);
  });

  test('that its index does not name are those of the configurations', async () => {
    const content = joinPlatforms([smallImage(), smallImage({ platform: arm64 })], 'oci');
    const { manifests } = await readIndex(content, content.root);
    const bytes = Buffer.from(
      JSON.stringify({ manifests: manifests.map(({ platform: _unsaid, ...entry }) => entry) }),
    );
    const root = { ...content.root, digest: sha256(bytes), size: bytes.length };
    const unnamed: ImageContent = {
      root,
      async *read(descriptor) {
        if (descriptor.digest === root.digest) yield bytes;
        else yield* content.read(descriptor);
      },
    };
    expect(await imagePlatforms(unnamed, 'web')).toEqual([amd64, arm64]);
  });

  test('without an index: of its configuration', async () => {
    expect(await imagePlatforms(smallImage({ platform: arm64 }).content, 'web')).toEqual([arm64]);
  });
});

test.each([
  ['container-tools=podman', 0],
  ['container-tools=skopeo', 2],
])('--optional-values %s', async (value, code) => {
  const argv = ['bundle', 'validate', '--optional-values', value];
  expect((await runCli(argv, { cwd: writeBundle(smallBundle()) })).code).toBe(code);
});
