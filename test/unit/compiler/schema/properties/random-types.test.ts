// Any TypeScript gives a schema that the API server takes, or is refused with a place; never anything else.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explanations } from '../../../../../src/cli/explanations/explanations.ts';
import type { Finding } from '../../../../../src/base/errors/index.ts';
import { generateSamples } from '../../../../helpers/generate-samples.ts';
import { problemsOf } from '../../../../helpers/random-schemas/schemas.ts';
import { randomType } from '../../../../helpers/random-types.ts';
import { isThorough, runs } from '../../../../helpers/thorough.ts';

/** What a finding lacks. */
function lacks({ code, where, message, fix }: Finding): string[] {
  const placed =
    where !== undefined && 'file' in where && where.file.startsWith('sample-') && where.line !== undefined;
  return [
    ...(Object.hasOwn(explanations, code) ? [] : ['a code of the catalogue']),
    ...(placed ? [] : [`a place (${JSON.stringify(where)})`]),
    ...(message.length > 0 ? [] : ['a message']),
    ...(fix !== undefined && fix.length > 0 ? [] : ['a fix']),
  ].map((what) => `${code} has not ${what}: ${message}`);
}

const count = runs(300);

test('random types become right schemas or are refused', { timeout: 120_000 }, () => {
  const samples = generateSamples(
    fc.sample(randomType, { numRuns: count, seed: Number(process.env['FC_SEED'] ?? 20260101) }),
  );
  const wrong = samples.flatMap(({ source, generated, findings }) => {
    const told = [...findings, ...(generated?.warnings ?? [])].flatMap(lacks);
    const problems =
      findings.length > 0 || generated === undefined ? [] : problemsOf(generated.schema, false);
    const faults = [...told, ...problems];
    return faults.length === 0 ? [] : [{ faults, source: source.slice(source.indexOf('interface Spec')) }];
  });
  expect(wrong).toEqual([]);
  const accepted = samples.filter(({ findings }) => findings.length === 0).length;
  expect(accepted).toBeGreaterThan(count / 15);
  expect(accepted).toBeLessThan((count * 2) / 3);
  const codes = new Set(samples.flatMap(({ findings }) => findings.map(({ code }) => code)));
  expect(codes.size).toBeGreaterThan(isThorough ? 12 : 6);
});
