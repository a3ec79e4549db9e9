import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInTests, runBuiltIn } from '../../../../../src/olm/bundle/scorecard/built-in-tests.ts';
import { validateBundle } from '../../../../../src/olm/bundle/validate/validate-bundle.ts';
import { chosen } from '../../../../helpers/thorough.ts';

const bundles = join(import.meta.dirname, '../../../../../../shared/data/bundles');
const verdictsFile = join(bundles, 'expected-verdicts.json');
if (!existsSync(verdictsFile)) console.warn(`skipped: the bundles are not there (${verdictsFile})`);

const resources = 'olm-crds-have-resources';
const validation = 'olm-crds-have-validation';
const spec = 'olm-spec-descriptors';
const status = 'olm-status-descriptors';

/** The tests that read the manifests and fail in operator-sdk (60559f3): recorded. */
const failing: Readonly<Record<string, readonly string[]>> = {
  'ack-apigatewayv2-controller': [resources],
  'ack-memorydb-controller': [resources],
  'ack-organizations-controller': [resources],
  'ack-pipes-controller': [resources],
  'ack-prometheusservice-controller': [resources],
  'ack-quicksight-controller': [resources],
  'ack-s3files-controller': [resources],
  'apimatic-kubernetes-operator': [],
  'application-services-metering-operator': [spec],
  'azure-service-operator': [resources, spec],
  'beegfs-csi-driver-operator': [],
  'cluster-impairment-operator': [validation, resources, spec],
  'community-kubevirt-hyperconverged': [resources, spec],
  'community-windows-machine-config-operator': [],
  infinispan: [resources, spec],
  konflux: [resources, spec],
  'kuadrant-operator': [resources, spec],
  microcks: [validation, spec],
  'multicluster-operators-subscription': [validation, resources, spec, status],
  'ocp-kea-dhcp': [resources, spec],
  'pulsar-resources-operator': [resources, spec],
  'sap-hana-express-operator': [resources, spec],
  'silicom-sts-operator': [validation, resources, spec, status],
  tagger: [resources, spec],
};

type Verdicts = Readonly<Record<string, Readonly<Record<string, readonly { readonly Level: string }[]>>>>;

describe.skipIf(!existsSync(verdictsFile))('bundles that others published', () => {
  const verdicts = (
    existsSync(verdictsFile) ? JSON.parse(readFileSync(verdictsFile, 'utf8')) : {}
  ) as Verdicts;

  test.each(chosen(Object.entries(failing)))('%s: as operator-sdk judges it', async (name, expected) => {
    const dir = join(bundles, name, readdirSync(join(bundles, name))[0] ?? '');
    const verdict = await validateBundle(dir);
    const results = builtInTests.map((test) => runBuiltIn(test, verdict));
    const reference = Object.entries(verdicts).find(([key]) => key.startsWith(`${name}/`))?.[1] ?? {};
    const isInvalid = ['bundle', 'csv', 'crd'].some((validator) =>
      (reference[validator] ?? []).some(({ Level }) => Level === 'Error'),
    );
    const failed = results.filter(({ state }) => state !== 'pass').map((result) => result.name);
    expect(failed.toSorted()).toEqual(
      [...expected, ...(isInvalid ? ['olm-bundle-validation'] : [])].toSorted(),
    );
    for (const { state, errors, suggestions } of results)
      if (state !== 'pass') expect([...errors, ...suggestions]).not.toEqual([]);
  });
});
