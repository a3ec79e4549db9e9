import type { Loose } from '../objects.ts';
import { smallBundle, writeBundle } from '../validate/bundle-folder.ts';

/** The small bundle with an example, descriptors, resources and a configuration, so that each test passes. Tests change it. */
export function siteBundle(): Loose {
  const bundle = smallBundle();
  const site = {
    apiVersion: 'example.com/v1',
    kind: 'Site',
    metadata: { name: 'a' },
    spec: { host: 'a.example.com' },
    status: { ready: true },
  };
  setExamples(bundle, [site]);
  Object.assign(bundle.csv.spec.customresourcedefinitions.owned[0], {
    resources: [{ kind: 'Deployment', version: 'v1', name: '' }],
    specDescriptors: [{ path: 'host', displayName: 'Host' }],
    statusDescriptors: [{ path: 'ready', displayName: 'Ready' }],
  });
  const { properties } = bundle.crd.spec.versions[0].schema.openAPIV3Schema;
  properties.status = { type: 'object', properties: { ready: { type: 'boolean' } } };
  bundle.files['tests/scorecard/config.yaml'] = configuration(...testNames.map((name) => builtIn(name)));
  return bundle;
}

export const testNames = [
  'basic-check-spec',
  'olm-bundle-validation',
  'olm-crds-have-validation',
  'olm-crds-have-resources',
  'olm-spec-descriptors',
  'olm-status-descriptors',
] as const;

/** An entry of a configuration that runs a test of operator-sdk's image. */
export function builtIn(name: string): Loose {
  return {
    image: 'quay.io/operator-framework/scorecard-test:v1.42.3',
    entrypoint: ['scorecard-test', name],
    labels: { suite: name.split('-')[0], test: `${name}-test` },
  };
}

/** A configuration with these tests, in one stage. */
export function configuration(...tests: readonly Loose[]): Loose {
  return {
    apiVersion: 'scorecard.operatorframework.io/v1alpha3',
    kind: 'Configuration',
    metadata: { name: 'config' },
    stages: [{ parallel: true, tests }],
  };
}

/** Replaces the examples; text is written as it is. */
export function setExamples(bundle: Loose, examples: unknown): void {
  bundle.csv.metadata.annotations['alm-examples'] =
    typeof examples === 'string' ? examples : JSON.stringify(examples);
}

/** Writes the bundle, changed, until the end of the test. @returns the folder around `bundle` */
export function siteFolder(change: (bundle: Loose) => void = () => undefined): string {
  const bundle = siteBundle();
  change(bundle);
  return writeBundle(bundle);
}
