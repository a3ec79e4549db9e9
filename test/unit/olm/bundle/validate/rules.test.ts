import { describe, expect, test } from 'vitest';
import { explanations } from '../../../../../src/cli/explanations/explanations.ts';
import { allRules, validateCodes } from '../../../../../src/olm/bundle/validate/rules/index.ts';
import { codes } from '../objects.ts';
import { addObject, bundleKey, judge, lineOf } from './bundle-folder.ts';
import { crdCases } from './crd-cases.ts';
import { csvCases } from './csv-cases.ts';
import { formatCases } from './format-cases.ts';
import { installCases } from './install-cases.ts';
import { optionalCases } from './optional-cases.ts';
import { right } from './right-cases.ts';
import { warnings } from './warning-cases.ts';

const errors = [...formatCases, ...csvCases, ...installCases, ...crdCases];

/** What cannot be wrong alone. */
const implied = [
  'bundle/invalid-version bundle/invalid-csv-name',
  'bundle/invalid-crd-name bundle/owned-crd-missing',
  'crd/duplicate-version bundle/duplicate-crd',
];

describe('what is wrong with a bundle', () => {
  test.each(errors)('%s: %s', async (_name, code, line, change) => {
    const { errors: found, cwd } = await judge(change);
    expect([...new Set(codes(found))].filter((other) => !implied.includes(`${code} ${other}`))).toEqual([
      code,
    ]);
    expect(found.some((finding) => lineOf(finding, cwd).includes(line))).toBe(true);
    for (const finding of found) {
      expect(finding.where).toHaveProperty('file', expect.stringContaining('bundle'));
      expect(finding.fix?.length ?? 0).toBeGreaterThan(0);
    }
  });

  test.each(warnings)('a warning for %s: %s', async (_name, code, line, change) => {
    const { errors: found, warnings: doubts, cwd } = await judge(change);
    expect(found).toEqual([]);
    expect([...new Set(codes(doubts))]).toEqual([code]);
    expect(lineOf(doubts[0], cwd)).toContain(line);
  });

  test.each(right)('nothing: %s', async (_name, change) => {
    const { errors: found, warnings: doubts } = await judge(change);
    expect({ found, doubts }).toEqual({ found: [], doubts: [] });
  });

  test('all of it is said at once', async () => {
    const { errors: found } = await judge((bundle) => {
      delete bundle.csv.spec.displayName;
      delete bundle.annotations[bundleKey('package.v1')];
      bundle.crd.spec.scope = 'World';
      addObject(bundle, 'apps/v1', 'Deployment', { name: 'a' });
    });
    expect(codes(found).toSorted()).toEqual([
      'bundle/kind-not-supported',
      'bundle/missing-annotation',
      'bundle/missing-field',
      'crd/form',
    ]);
  });

  test('what the bundle is, too', async () => {
    expect(await judge()).toMatchObject({
      name: 'web-operator.v0.1.0',
      version: '0.1.0',
      packageName: 'web-operator',
    });
  });

  test('every code of the catalogue has a case', () => {
    const tested = new Set([...errors, ...warnings, ...optionalCases].map(([, code]) => code));
    // These have tests of their own: beside this file, and the first one in test/unit/cli/written-yaml.slow.test.ts.
    const elsewhere: readonly string[] = [
      ...allRules()
        .filter(({ validator }) => validator === 'multiarch')
        .map(({ code }) => code),
      'bundle/channel-name',
      'bundle/empty-first-document',
      'bundle/not-a-folder',
      'bundle/missing-folder',
      'bundle/too-large',
      'bundle/nearly-too-large',
    ];
    const missing = Object.keys(validateCodes).filter(
      (code) => !tested.has(code) && !elsewhere.includes(code),
    );
    expect(missing).toEqual([]);
    expect([...tested].filter((code) => !(code in explanations))).toEqual([]);
  });
});
