import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  offlineValidators as optional,
  validatorNames,
} from '../../../../../src/olm/bundle/validate/rules/validators.ts';
import { passes, validateBundle } from '../../../../../src/olm/bundle/validate/validate-bundle.ts';
import { codes, type Loose } from '../objects.ts';
import { chosen } from '../../../../helpers/thorough.ts';
import { judge } from './bundle-folder.ts';

const data = join(import.meta.dirname, '../../../../../../shared/data');

/** One finding of the reference validators. */
interface Verdict {
  readonly Level: 'Error' | 'Warning';
}

/** The validators that the reference knows, without optional values. */
const compared = validatorNames.filter((name) => !['format', 'content', 'opsdk'].includes(name));

const verdictsFile = join(data, 'bundles/expected-verdicts.json');
if (!existsSync(verdictsFile)) console.warn(`skipped: the bundles are not there (${verdictsFile})`);

describe.skipIf(!existsSync(verdictsFile))('bundles that others published', () => {
  const verdicts = (existsSync(verdictsFile) ? JSON.parse(readFileSync(verdictsFile, 'utf8')) : {}) as Record<
    string,
    Record<string, readonly Verdict[]>
  >;

  test.each(chosen(Object.entries(verdicts)))('%s: as the reference judges it', async (name, byValidator) => {
    const { results } = await validateBundle(join(data, 'bundles', name), { optional });
    const ours = (validator: string): readonly string[] =>
      results.filter((result) => result.validator === validator).map(({ level }) => level);
    const theirs = (validator: string): readonly string[] =>
      (byValidator[validator] ?? []).map(({ Level }) => Level.toLowerCase());
    for (const validator of compared)
      expect(ours(validator).toSorted(), validator).toEqual(theirs(validator).toSorted());
    expect(passes({ results }, false)).toBe(
      !['bundle', 'csv', 'crd', ...optional].some((validator) => theirs(validator).includes('error')),
    );
  });
});

/** A CustomResourceDefinition, and what a kube-apiserver answered to it. */
interface Probe {
  readonly name: string;
  readonly crd: Loose;
  readonly default: { readonly code: number; readonly warnings?: readonly string[] };
}

const probesFile = join(data, 'crd-probes/probes.json');
if (!existsSync(probesFile))
  console.warn(`skipped: the answers of a kube-apiserver are not there (${probesFile})`);

/** Expressions in CEL are not compiled here: what remains are changes of items without an identity, and costs. */
const needsCel = [
  'CEL oldSelf in map list',
  'CEL unbounded list nested loop',
  'CEL rule in unbounded array items w/ matches',
  'CEL format lib',
];

describe.skipIf(!existsSync(probesFile))('CRDs that a kube-apiserver was asked about', () => {
  const probes = (
    existsSync(probesFile) ? JSON.parse(readFileSync(probesFile, 'utf8')) : []
  ) as readonly Probe[];
  const whole = probes.filter(({ crd }) => typeof crd === 'object' && crd.kind !== undefined);

  test.each(whole.map((probe) => [probe.name, probe] as const))(
    '%s',
    async (name, { crd, default: answer }) => {
      const { errors, warnings } = await judge((bundle) => {
        bundle.crd = crd;
        const versions = crd.spec.versions as readonly Loose[];
        bundle.csv.spec.customresourcedefinitions.owned = versions.map((version) => ({
          name: `${String(crd.spec.names.plural)}.${String(crd.spec.group)}`,
          version: version.name,
          kind: crd.spec.names.kind,
        }));
        bundle.csv.metadata.annotations['alm-examples'] = '[]';
      });
      expect(codes(errors).filter((code) => !code.startsWith('crd/'))).toEqual([]);
      expect(errors.length === 0).toBe(answer.code === 201 || needsCel.includes(name));
      const dropped = (answer.warnings ?? []).filter((warning) => warning.includes('unknown field'));
      expect(warnings.filter(({ code }) => code === 'crd/unknown-field')).toHaveLength(dropped.length);
    },
  );
});

const crdsFolder = join(data, 'crds');
if (!existsSync(crdsFolder)) console.warn(`skipped: the CRDs of others are not there (${crdsFolder})`);

describe.skipIf(!existsSync(crdsFolder))('CRDs that are in use', () => {
  const names = existsSync(crdsFolder)
    ? readdirSync(crdsFolder).filter((name) => name.endsWith('.yaml'))
    : [];

  test('are there', () => expect(names.length).toBeGreaterThan(50));

  test.each(chosen(names))('%s is not refused', async (name) => {
    const { errors } = await judge((bundle) => {
      bundle.crd = undefined;
      bundle.files['manifests/crd.yaml'] = readFileSync(join(crdsFolder, name), 'utf8');
    });
    const ofTheBundle = ['bundle/owned-crd-missing', 'bundle/crd-not-owned'];
    expect(errors.filter(({ code }) => !ofTheBundle.includes(code))).toEqual([]);
  });
});
