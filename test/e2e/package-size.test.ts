// The packed package has at most 2.5 MiB, of which each part has its share.
import { statSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { measureParts, partsTable, type PackagePart } from '../helpers/package-parts.ts';

/** In KiB. */
const mostInAll = 2.5 * 1024;

/** npm packs in an order of its own, in which files compress less well: its tarball has up to a twentieth more than the sum of the parts. */
const mostInParts = mostInAll * 0.95;

/** The budgets: a part that needs more gets it from another part, or from what is left of the whole. */
const parts: readonly PackagePart[] = [
  { name: 'dist runtime', paths: ['dist/sdk/runtime'], budget: 190 },
  { name: 'dist built-in kinds', paths: ['dist/sdk/k8s'], budget: 71 },
  { name: 'dist client', paths: ['dist/sdk', 'dist/tracing.js', 'dist/tracing.d.ts'], budget: 130 },
  { name: 'dist testing', paths: ['dist/testing', 'dist/testing.js', 'dist/testing.d.ts'], budget: 231 },
  { name: 'dist tables and CRDs', paths: ['dist/kubernetes'], budget: 362 },
  { name: 'dist cli', paths: ['dist/op-sdk', 'dist/cluster', 'dist/compiler', 'bin'], budget: 1097 },
  { name: 'dist base', paths: ['dist/base', 'dist/index.js', 'dist/index.d.ts'], budget: 51 },
  { name: 'docs', paths: ['docs', 'README.md', 'LICENSE', 'package.json'], budget: 194 },
  { name: 'changelog', paths: ['CHANGELOG.md'], budget: 29 },
  { name: 'templates', paths: ['templates'], budget: 35 },
  { name: 'pages', paths: ['pages'], budget: 8 },
  { name: 'schemas and action', paths: ['schemas', 'action.yml'], budget: 11 },
  { name: 'examples', paths: ['examples'], budget: 22 },
];

const tarball = (): string =>
  inject('packed')?.tarball ?? expect.fail('no packed package: run with --project e2e');

test('the packed package has at most 2.5 MiB', () => {
  const { measured } = measureParts(tarball(), parts);
  expect(statSync(tarball()).size / 1024, partsTable(measured)).toBeLessThanOrEqual(mostInAll);
});

test('each part of it keeps to its budget, and the budgets to the whole', () => {
  const { measured, others } = measureParts(tarball(), parts);
  expect(others).toEqual([]);
  const above = measured.filter(({ packed, budget }) => packed > budget).map(({ name }) => name);
  expect(above, partsTable(measured)).toEqual([]);
  expect(measured.filter(({ files }) => files === 0)).toEqual([]);
  expect(parts.reduce((sum, { budget }) => sum + budget, 0)).toBeLessThanOrEqual(mostInParts);
});
