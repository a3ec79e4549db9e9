import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';
import { compareCrds, type Difference } from './compare.ts';
import { controllerGenCrds, readCrds } from './oracle.ts';
import { typeErrors } from './type-errors.ts';
import { wantedDifferences } from './wanted-differences.ts';

// `kinds` holds every kind twice, written by hand: in Go with kubebuilder's markers, in TypeScript beside it.
const peer = controllerGenCrds();
if ('missing' in peer) console.log(`skipped: the comparison with controller-gen: ${peer.missing}`);

const output = mkdtempSync(join(tmpdir(), 'op-sdk-beside-controller-gen-'));
afterAll(() => rmSync(output, { recursive: true }));

/** What op-sdk makes of the TypeScript side. */
async function generate(folder: string, ...flags: string[]) {
  const target = join(output, folder);
  const args = ['generate', 'manifests', '--only', 'crd', '--apis-dir', 'kinds', '--output-dir', target];
  const options = { cwd: import.meta.dirname, env: { OPSDK_NO_CACHE: '1' } };
  const run = await runCli([...args, ...flags], options);
  return { ...run, crds: run.code === 0 ? readCrds(target) : new Map<never, never>() };
}
const plain = await generate('plain');
const described = await generate('described', '--embedded-descriptions');

it('has a TypeScript side that compiles', () => expect(typeErrors()).toEqual([]));

it('makes CRDs from the TypeScript side, without a warning', () => {
  expect(plain.stderr).not.toContain('warning');
  expect(plain.code, plain.stderr).toBe(0);
  expect(described.code, described.stderr).toBe(0);
});

it('leaves out the descriptions of embedded types, and nothing else, unless they are asked for', () => {
  const differences = [...described.crds.keys()].flatMap((name) =>
    compareCrds(name, described.crds.get(name), plain.crds.get(name)),
  );
  expect(differences.length).toBeGreaterThan(100);
  for (const { path, ts } of differences)
    expect([path, ts]).toEqual([expect.stringMatching(/\.description$/), undefined]);
});

// Without the TypeScript side there is nothing to compare, which the tests above tell.
describe.skipIf('missing' in peer || described.code !== 0)('CRDs beside those of controller-gen', () => {
  const theirs = 'missing' in peer ? new Map<never, never>() : peer;
  const names = [...new Set([...theirs.keys(), ...described.crds.keys()])].sort();
  const differences = new Map(
    names.map((name) => [name, compareCrds(name, theirs.get(name), described.crds.get(name))] as const),
  );
  const entriesOf = (difference: Difference) =>
    wantedDifferences.filter(({ path, when }) => path.test(difference.path) && when(difference));

  it('has enough kinds', () => expect(names.length).toBeGreaterThanOrEqual(11));

  it.each(names)('%s says the same, but for what is wanted', (name) => {
    expect(differences.get(name)?.filter((difference) => entriesOf(difference).length === 0)).toEqual([]);
  });

  it.each(wantedDifferences)('still differs: $reason', (entry) => {
    const found = [...differences.values()].flat();
    expect(found.filter((difference) => entriesOf(difference).includes(entry))).not.toEqual([]);
  });
});
