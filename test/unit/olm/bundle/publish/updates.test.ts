import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CatalogueVersion,
  danglingVersions,
  updateGraph,
  findLoop,
} from '../../../../../src/olm/bundle/publish/catalogue-version.ts';
import { toYaml } from '../../../../../src/kubernetes/yaml/to-yaml.ts';
import { runCli, type CliRun } from '../../../../helpers/run-cli.ts';
import type { Loose } from '../objects.ts';
import { bundleKey } from '../validate/bundle-folder.ts';
import { hubBundle, hubFolder } from './hub-bundle.ts';

const operator = 'hub/operators/web-operator';

/** What a version says of itself: `channels` and the fields of its ClusterServiceVersion. */
interface Said {
  readonly channels?: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly range?: string;
  readonly packageName?: string;
  readonly name?: string;
}

const say =
  (version: string, said: Said) =>
  (bundle: Loose): void => {
    const { channels = 'stable', replaces, skips, range, packageName = 'web-operator' } = said;
    bundle.csv.metadata.name = `${said.name ?? 'web-operator'}.v${version}`;
    bundle.csv.spec.version = version;
    bundle.annotations[bundleKey('channels.v1')] = channels;
    bundle.annotations[bundleKey('package.v1')] = packageName;
    if (replaces !== undefined) bundle.csv.spec.replaces = `web-operator.v${replaces}`;
    if (skips !== undefined) bundle.csv.spec.skips = skips.map((each) => `web-operator.v${each}`);
    if (range !== undefined) bundle.csv.metadata.annotations['olm.skipRange'] = range;
  };

function write(cwd: string, path: string, content: unknown): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), typeof content === 'string' ? content : toYaml(content));
}

/** Publishes 0.3.0 into a catalogue that has other versions. */
async function publish(
  fresh: Said,
  others: Readonly<Record<string, Said>>,
  {
    config,
    more = () => undefined,
  }: { readonly config?: string; readonly more?: (bundle: Loose) => void } = {},
): Promise<CliRun> {
  const cwd = hubFolder((bundle) => {
    say('0.3.0', fresh)(bundle);
    more(bundle);
  });
  for (const [version, said] of Object.entries(others)) {
    const bundle = hubBundle();
    say(version, said)(bundle);
    write(cwd, `${operator}/${version}/manifests/csv.yaml`, bundle.csv);
    write(cwd, `${operator}/${version}/metadata/annotations.yaml`, { annotations: bundle.annotations });
  }
  if (config !== undefined) write(cwd, `${operator}/ci.yaml`, config);
  return runCli(['bundle', 'publish', '--output-dir', 'hub'], { cwd });
}

const chain = { '0.1.0': {}, '0.2.0': { replaces: '0.1.0' } };

describe('updates between the versions of an operator', () => {
  const right: readonly (readonly [
    what: string,
    fresh: Said,
    others: Readonly<Record<string, Said>>,
    config?: string,
  ])[] = [
    ['the first version', {}, {}],
    ['replaces leads on', { replaces: '0.2.0' }, chain],
    [
      'skips leads on',
      { replaces: '0.1.0', skips: ['0.2.0'] },
      { '0.1.0': {}, '0.2.0': { replaces: '0.1.0' } },
    ],
    ['skipRange leads on', { range: '>=0.1.0 <0.3.0' }, { '0.1.0': {}, '0.2.0': {} }],
    ['another channel', { channels: 'candidate' }, { '0.1.0': {}, '0.2.0': {} }],
    ['semver-mode: the order leads on', {}, { '0.1.0': {} }, 'updateGraph: semver-mode\n'],
    ['a catalogue of files leads on', {}, { '0.1.0': {} }, 'fbc:\n  enabled: true\n'],
    ['a newer version in the channel', {}, { '0.4.0': { replaces: '0.3.0' } }],
    ['an older line is kept up', { replaces: '0.2.0' }, { ...chain, '0.10.0': { range: '<0.10.0' } }],
  ];
  const cases = right.map(([what, fresh, others, config]) => ({ what, fresh, others, config }));
  test.each(cases)('$what', async ({ fresh, others, config }) => {
    const run = await publish(fresh, others, config === undefined ? {} : { config });
    expect([run.code, run.stderr.match(/\[bundle\/publish-/g)], run.stderr).toEqual([0, null]);
  });

  const wrong: readonly (readonly [message: string, fresh: Said, others: Readonly<Record<string, Said>>])[] =
    [
      [
        'publish-updates]: no update in the channel stable leads from web-operator.v0.2.0 to a later version',
        {},
        chain,
      ],
      [
        'publish-replaces]: the version 0.1.1 of web-operator.v0.1.1 is not in the checkout; it has 0.1.0',
        { replaces: '0.1.1' },
        { '0.1.0': {} },
      ],
      [
        'publish-updates]: the updates of the channel stable form a loop: they lead from 0.2.0 to 0.3.0, and from there back to 0.2.0',
        { replaces: '0.2.0' },
        { '0.2.0': { replaces: '0.3.0' } },
      ],
      [
        'publish-name]: the package differs between versions: it is web-operator in this version, and web in others',
        { replaces: '0.2.0' },
        { '0.2.0': { packageName: 'web' } },
      ],
      [
        'publish-name]: the operator in the name of the ClusterServiceVersion differs between versions: it is web-operator in this version, and web in others',
        { replaces: '0.2.0' },
        { '0.2.0': { name: 'web' } },
      ],
      [
        'publish-name]: expected the name web-operator.v0.3.0, after the package, got web.v0.3.0',
        { name: 'web' },
        {},
      ],
    ];
  test.each(wrong)('%s', async (message, fresh, others) => {
    const run = await publish(fresh, others);
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain(`error[bundle/${message}`);
    expect(run.stderr).toContain('at bundle/manifests/csv.yaml:');
  });

  test('of versions that differ in their names one more is a warning', async () => {
    const run = await publish({ range: '<0.3.0' }, { '0.1.0': { name: 'web' }, '0.2.0': {} });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('warning[bundle/publish-name]');
  });

  test('a version that cannot be read is named', async () => {
    const cwd = hubFolder();
    write(cwd, `${operator}/0.0.1/manifests/csv.yaml`, 'a: [\n');
    write(cwd, `${operator}/0.0.1/metadata/annotations.yaml`, 'annotations: {}\n');
    const run = await runCli(['bundle', 'publish', '--output-dir', 'hub'], { cwd });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain(`warning[bundle/publish-updates]: ${operator}/0.0.1 cannot be read`);
  });

  test('a NetworkPolicy is refused', async () => {
    const more = (bundle: Loose): void =>
      void (bundle.files['manifests/policy.yaml'] = {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'deny' },
        spec: { podSelector: {} },
      });
    const run = await publish({}, {}, { more });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(
      'error[bundle/publish-kind]: the bundle has the NetworkPolicy deny; the catalogue does not accept bundles with a NetworkPolicy',
    );
  });
});

describe('the graph of updates', () => {
  const versionOf = (
    index: number,
    replaces: number | undefined,
    skips: readonly number[],
  ): CatalogueVersion => ({
    shown: '',
    csv: { apiVersion: '', kind: '', name: '', value: {}, file: '', reread: () => expect.fail() },
    ...{ packageName: 'a', operator: 'a', defaultChannel: '', skipRange: '' },
    version: `0.${index}.0`,
    channels: new Set(['stable']),
    replaces: replaces === undefined ? '' : `a.v0.${replaces}.0`,
    skips: skips.map((each) => `a.v0.${each}.0`),
  });
  const number = fc.nat({ max: 11 });
  const versions = fc
    .array(fc.tuple(fc.option(number, { nil: undefined }), fc.array(number, { maxLength: 3 })), {
      minLength: 1,
      maxLength: 12,
    })
    .map((all) => all.map(([replaces, skips], index) => versionOf(index, replaces, skips)));

  test('has a loop just where a version can be reached from itself', () => {
    fc.assert(
      fc.property(versions, (all) => {
        const graph = updateGraph(all, 'stable');
        const reached = (from: CatalogueVersion): Set<CatalogueVersion> => {
          const seen = new Set<CatalogueVersion>();
          const rest = [...(graph.get(from) ?? [])];
          for (const next of rest) {
            if (seen.has(next)) continue;
            seen.add(next);
            rest.push(...(graph.get(next) ?? []));
          }
          return seen;
        };
        const loop = findLoop(graph);
        expect(loop !== undefined).toBe(all.some((version) => reached(version).has(version)));
        for (const [index, version] of (loop ?? []).entries())
          expect(graph.get(version)).toContain(loop?.[index + 1] ?? loop?.[0]);
      }),
    );
  });

  test('leaves versions out where nothing leads on from them', () => {
    const all = [versionOf(1, undefined, []), versionOf(10, 2, []), versionOf(2, 1, []), versionOf(3, 2, [])];
    const dangling = danglingVersions(updateGraph(all, 'stable'));
    expect(dangling.map(({ version }) => version)).toEqual(['0.3.0']);
  });
});
