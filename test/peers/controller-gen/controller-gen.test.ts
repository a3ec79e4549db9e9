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
const args = ['generate', 'manifests', '--only', 'crd', '--apis-dir', 'kinds', '--output-dir', output];
const run = await runCli(args, { cwd: import.meta.dirname, env: { OPSDK_NO_CACHE: '1' } });

it('has a TypeScript side that compiles', () => expect(typeErrors()).toEqual([]));

it('makes CRDs from the TypeScript side, without a warning', () => {
  expect(run.stderr).not.toContain('warning');
  expect(run.code, run.stderr).toBe(0);
});

// Without the TypeScript side there is nothing to compare, which the test above tells.
describe.skipIf('missing' in peer || run.code !== 0)('CRDs beside those of controller-gen', () => {
  const theirs = 'missing' in peer ? new Map<never, never>() : peer;
  const ours = run.code === 0 ? readCrds(output) : new Map<never, never>();
  const names = [...new Set([...theirs.keys(), ...ours.keys()])].sort();
  const differences = new Map(
    names.map((name) => [name, compareCrds(theirs.get(name), ours.get(name))] as const),
  );
  const entriesOf = (difference: Difference) =>
    wantedDifferences.filter(({ path, when }) => path.test(difference.path) && when(difference));

  it('has enough kinds', () => expect(names.length).toBeGreaterThanOrEqual(11));

  it.each(names)('%s says the same, but for what is wanted', (name) => {
    expect(differences.get(name)?.filter((difference) => entriesOf(difference).length === 0)).toEqual([]);
  });

  it.each(wantedDifferences)('still differs: $reason', (entry) => {
    const found = [...differences.values()]
      .flat()
      .filter((difference) => entriesOf(difference).includes(entry));
    expect(found).not.toEqual([]);
  });
});
