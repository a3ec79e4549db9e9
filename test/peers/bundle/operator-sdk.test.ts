// The bundles of operator-sdk's own test data beside those that op-sdk makes of the same manifests.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseYaml } from '../../../src/kubernetes/yaml/read-yaml.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { copyProject, prepareFolder, projectCases, streamCases, upgraded } from './operator-sdk-cases.ts';
import { compareBundles, compareValues, type Difference } from './operator-sdk-compare.ts';
import { isWanted, wantedDifferences, type WantedDifference } from './operator-sdk-wanted.ts';

const source = process.env.OPERATOR_SDK_SOURCE ?? '';
const data = join(source, 'internal/generate/testdata');
const missing =
  source === ''
    ? 'OPERATOR_SDK_SOURCE names no checkout of operator-sdk'
    : existsSync(data)
      ? undefined
      : `OPERATOR_SDK_SOURCE: ${data} is missing`;
if (missing !== undefined) console.log(`skipped: bundles beside operator-sdk's: ${missing}`);

/** The second that the expected bundles name, so that `createdAt` agrees. */
const bundledAt = String(Date.parse('2022-11-08T17:26:37Z') / 1000);
const streamedAt = String(Date.parse('2022-11-08T16:44:38Z') / 1000);

const generate = (cwd: string, epoch: string, flags: readonly string[], stdin?: string): Promise<CliRun> =>
  runCli(['generate', 'bundle', '-q', '--overwrite', '--version', '0.0.1', ...flags], {
    cwd,
    env: { OPSDK_NO_CACHE: '1', SOURCE_DATE_EPOCH: epoch },
    ...(stdin === undefined ? {} : { stdin }),
  });

const errorsOf = ({ stderr }: CliRun): readonly string[] => [
  ...new Set([...stderr.matchAll(/^error\[(.*?)\]/gm)].map(([, code = '']) => code)),
];

/** Those of the list that some bundle has. */
const met = new Set<WantedDifference>();

function expectWanted(differences: readonly Difference[]): void {
  const unwanted = differences.filter((difference) => {
    const wanted = wantedDifferences.filter((each) => isWanted(difference, each));
    for (const each of wanted) met.add(each);
    return wanted.length !== 1;
  });
  expect(unwanted).toEqual([]);
}

describe.skipIf(missing !== undefined)("bundles beside operator-sdk's", () => {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-operator-sdk-peer-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(projectCases)('$folder', async (project) => {
    const from = join(source, project.folder);
    const prepare = (name: string, repaired: boolean): string => {
      const cwd = join(folder, name, project.folder);
      mkdirSync(cwd, { recursive: true });
      copyProject(from, cwd, project, repaired);
      rmSync(join(cwd, 'bundle'), { recursive: true });
      rmSync(join(cwd, 'bundle.Dockerfile'));
      return cwd;
    };
    if (project.refused !== undefined) {
      const asIs = await generate(prepare('as-is', false), bundledAt, []);
      expect(errorsOf(asIs), asIs.stderr).toEqual([project.refused.code]);
    }
    const cwd = prepare('repaired', true);
    const rendered = await runCli(['kustomize', 'build', 'config/manifests'], { cwd });
    expect(rendered.code, rendered.stderr).toBe(0);
    const run = await generate(cwd, bundledAt, ['-f', '-'], rendered.stdout);
    expect(run.code, run.stderr).toBe(0);
    expectWanted(compareBundles(from, cwd));
  });

  it.each(streamCases)('$stream with $base', async (stream) => {
    const cwd = join(folder, stream.base);
    prepareFolder(data, stream, cwd);
    const objects = readFileSync(join(data, 'go/static', stream.stream), 'utf8');
    const flags = ['--package', 'memcached-operator', '-f', '-'];
    if (stream.refused.length > 0) {
      const asIs = await generate(cwd, streamedAt, flags, objects);
      expect(errorsOf(asIs), asIs.stderr).toEqual(stream.refused);
    }
    const run = await generate(cwd, streamedAt, flags, upgraded(objects));
    expect(run.code, run.stderr).toBe(0);
    const csv = (file: string): unknown => parseYaml(readFileSync(file, 'utf8'), file).value;
    const theirs = csv(join(data, 'clusterserviceversions/output', stream.base));
    const ours = csv(join(cwd, 'bundle/manifests/memcached-operator.clusterserviceversion.yaml'));
    expectWanted(compareValues(theirs, ours, 'csv '));
  });

  it('every wanted difference is still there', () => {
    expect(wantedDifferences.filter((each) => !met.has(each))).toEqual([]);
  });
});
