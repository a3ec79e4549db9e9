import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInTests, runBuiltIn } from '../../../../../src/olm/bundle/scorecard/built-in-tests.ts';
import type { TestResult } from '../../../../../src/olm/bundle/scorecard/configuration.ts';
import { validateBundle } from '../../../../../src/olm/bundle/validate/validate-bundle.ts';
import type { Loose } from '../objects.ts';
import { setExamples, siteFolder, testNames } from './site-bundle.ts';

type Change = (bundle: Loose) => void;

async function judge(name: string, change?: Change): Promise<TestResult> {
  return runBuiltIn(name, await validateBundle('bundle', { cwd: siteFolder(change) }));
}

const site = { apiVersion: 'example.com/v1', kind: 'Site', metadata: { name: 'a' }, spec: { host: 'a' } };
const owned = (bundle: Loose): Loose => bundle.csv.spec.customresourcedefinitions.owned[0];
const line = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

test('the tests are the six of operator-sdk', () => {
  expect(builtInTests.toSorted()).toEqual(testNames.toSorted());
});

test.each(testNames)('%s passes without a remark', async (name) => {
  expect(await judge(name)).toMatchObject({ name, state: 'pass', errors: [], suggestions: [] });
});

interface Case {
  readonly change: Change;
  readonly state: TestResult['state'];
  readonly errors?: readonly string[];
  readonly suggestions?: readonly string[];
}

/** What each test says of a bundle that is changed at one place. */
const cases: Readonly<Record<(typeof testNames)[number], Readonly<Record<string, Case>>>> = {
  'basic-check-spec': {
    'an example without a spec': {
      change: (bundle) => setExamples(bundle, [{ ...site, spec: null }, site]),
      state: 'pass',
      suggestions: ['add a spec to the example Site a'],
    },
    'examples that are not JSON': {
      change: (bundle) => setExamples(bundle, '[{'),
      state: 'fail',
      errors: [line(/^the annotation alm-examples is not JSON: /)],
    },
    'an example without a kind': {
      change: (bundle) => setExamples(bundle, [{ ...site, kind: undefined }]),
      state: 'fail',
      errors: ['the annotation alm-examples is not a list of objects that have a kind'],
    },
  },
  'olm-bundle-validation': {
    'a missing field': {
      change: (bundle) => void delete bundle.csv.spec.displayName,
      state: 'fail',
      errors: [line(/^bundle\/manifests\/csv\.yaml:\d+:1: spec\.displayName .* \[bundle\/missing-field\]$/)],
    },
    'a missing annotation': {
      change: (bundle) => void delete bundle.annotations['operators.operatorframework.io.bundle.package.v1'],
      state: 'fail',
      errors: [line(/\[bundle\/missing-annotation\]$/)],
    },
    'a warning': {
      change: (bundle) => void delete bundle.csv.spec.minKubeVersion,
      state: 'pass',
      suggestions: [line(/\[bundle\/no-min-kube-version\]$/)],
    },
    'what only the validator opsdk reports': {
      change: (bundle) => void (bundle.crd.spec.versions[0].schema.openAPIV3Schema.items = {}),
      state: 'pass',
    },
  },
  'olm-crds-have-validation': {
    'fields that the schema does not know': {
      change: (bundle) => setExamples(bundle, [{ ...site, spec: { port: 1 }, status: { phase: 'x' } }]),
      state: 'fail',
      suggestions: ['add spec.port to the schema of Site v1', 'add status.phase to the schema of Site v1'],
    },
    'a name of every object': {
      change: (bundle) => setExamples(bundle, [{ ...site, spec: { constructor: 1 } }]),
      state: 'fail',
      suggestions: ['add spec.constructor to the schema of Site v1'],
    },
    'another case of the kind': {
      change: (bundle) => setExamples(bundle, [{ ...site, kind: 'site', spec: { port: 1 } }]),
      state: 'fail',
      suggestions: ['add spec.port to the schema of Site v1'],
    },
    'an example of another version': {
      change: (bundle) => setExamples(bundle, [{ ...site, apiVersion: 'example.com/v2', spec: { port: 1 } }]),
      state: 'pass',
    },
    'a spec that is text': {
      change: (bundle) => setExamples(bundle, [{ ...site, spec: 'a' }]),
      state: 'fail',
      errors: ['the example Site a: expected spec to be an object'],
    },
    'a version without a schema': {
      change: (bundle) => void delete bundle.crd.spec.versions[0].schema,
      state: 'pass',
      suggestions: ['add a schema to Site v1'],
    },
    'a definition of v1beta1': {
      change: (bundle) => {
        const { schema, ...version } = bundle.crd.spec.versions[0];
        bundle.crd.apiVersion = 'apiextensions.k8s.io/v1beta1';
        Object.assign(bundle.crd.spec, { versions: [version], validation: schema });
        setExamples(bundle, [{ ...site, spec: { port: 1 } }]);
      },
      state: 'fail',
      suggestions: ['add spec.port to the schema of Site v1'],
    },
    'examples that are not JSON': {
      change: (bundle) => setExamples(bundle, 'none'),
      state: 'error',
      errors: [line(/^the annotation alm-examples is not JSON: /)],
    },
  },
  'olm-crds-have-resources': {
    'no resources': {
      change: (bundle) => void (owned(bundle).resources = []),
      state: 'fail',
      errors: ['the owned kind Site v1 lists no resources'],
      suggestions: [line(/owned\[\]\.resources/)],
    },
  },
  'olm-spec-descriptors': {
    'fields without descriptors': {
      change: (bundle) => setExamples(bundle, [{ ...site, spec: { host: 'a', size: 1, port: 2 } }]),
      state: 'fail',
      errors: [
        'Site v1: the field spec.size has no descriptor',
        'Site v1: the field spec.port has no descriptor',
      ],
      suggestions: [
        'Site v1: write a descriptor with `path: size` into specDescriptors',
        'Site v1: write a descriptor with `path: port` into specDescriptors',
      ],
    },
    'an example without a spec': {
      change: (bundle) => setExamples(bundle, [{ ...site, spec: undefined }]),
      state: 'fail',
      errors: ['the example Site a has no spec'],
    },
    'a spec that is a list': {
      change: (bundle) => setExamples(bundle, [{ ...site, spec: [] }]),
      state: 'fail',
      errors: ['the example Site a: expected spec to be an object'],
    },
    'an example of a kind that is not owned': {
      change: (bundle) => setExamples(bundle, [{ ...site, kind: 'Page' }]),
      state: 'fail',
      errors: ['the example Page a is of Page v1, which the operator does not own'],
    },
    'no examples': { change: (bundle) => setExamples(bundle, 'null'), state: 'pass' },
    'examples that are not JSON': {
      change: (bundle) => setExamples(bundle, '{'),
      state: 'error',
      errors: [line(/not JSON/)],
    },
  },
  'olm-status-descriptors': {
    'a status without descriptors': {
      change: (bundle) => void delete owned(bundle).statusDescriptors,
      state: 'fail',
      errors: ['Site v1 has no descriptor of its status'],
      suggestions: ['Site v1: write descriptors into statusDescriptors'],
    },
    'an empty status': {
      change: (bundle) => setExamples(bundle, [{ ...site, status: {} }]),
      state: 'pass',
      suggestions: [line(/^the example Site a has no status; /)],
    },
    'a status that is text': {
      change: (bundle) => setExamples(bundle, [{ ...site, status: 'ready' }]),
      state: 'fail',
      errors: ['the example Site a: expected status to be an object'],
    },
    'an example of a version that is not owned': {
      change: (bundle) => setExamples(bundle, [{ ...site, apiVersion: 'example.com/v2' }]),
      state: 'fail',
      errors: ['the example Site a is of Site v2, which the operator does not own'],
    },
  },
};

describe.each(Object.entries(cases))('%s', (name, changes) => {
  test.each(Object.entries(changes))('%s', async (_, { change, state, errors = [], suggestions = [] }) => {
    const result = await judge(name, change);
    expect({ ...result, log: [] }).toEqual({ name, state, log: [], errors, suggestions });
  });
});

describe('a bundle that cannot be read', () => {
  const spoiled: Readonly<Record<string, readonly [Change, RegExp]>> = {
    'a file is not YAML': [(bundle) => (bundle.files['manifests/x.yaml'] = 'a: ['), /io\/yaml-syntax/],
    'there is no ClusterServiceVersion': [(bundle) => (bundle.csv = undefined), /bundle\/no-csv/],
    'a field has another type': [(bundle) => (bundle.csv.spec.links = 'x'), /bundle\/invalid-field/],
  };
  test.each(Object.entries(spoiled))('%s: all tests fail, and say why', async (_, [change, code]) => {
    const verdict = await validateBundle('bundle', { cwd: siteFolder(change) });
    for (const name of builtInTests)
      expect(runBuiltIn(name, verdict)).toMatchObject({
        state: 'fail',
        errors: expect.arrayContaining([line(code)]) as unknown,
      });
  });

  test('a missing annotation fails olm-bundle-validation only', async () => {
    const change: Change = (bundle) =>
      void delete bundle.annotations['operators.operatorframework.io.bundle.package.v1'];
    expect(await judge('olm-spec-descriptors', change)).toMatchObject({ state: 'pass' });
  });

  test('places are relative to the folder in which the command runs', async () => {
    const cwd = siteFolder((bundle) => void delete bundle.csv.spec.displayName);
    const inside = await validateBundle('.', { cwd: join(cwd, 'bundle') });
    expect(runBuiltIn('olm-bundle-validation', inside).errors).toEqual([line(/^manifests\/csv\.yaml:/)]);
  });
});
