import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  validateBundle,
  type BundleVerdict,
  type ValidateOptions,
} from '../../../../../src/olm/bundle/index.ts';
import type { Finding } from '../../../../../src/base/errors/index.ts';
import { toYaml } from '../../../../../src/kubernetes/yaml/to-yaml.ts';
import type { Loose } from '../objects.ts';
import { judged } from './judged.ts';

const prefix = 'operators.operatorframework.io.bundle.';

/** The parts of a small bundle that is valid, without a warning. Tests change them. */
export function smallBundle(): Loose {
  const labels = { app: 'web-operator' };
  const container = { name: 'manager', image: 'example.com/web-operator:0.1.0' };
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: 'web-operator.v0.1.0',
      namespace: 'placeholder',
      annotations: {
        'alm-examples': '[{"apiVersion":"example.com/v1","kind":"Site","metadata":{"name":"a"}}]',
      },
    },
    spec: {
      displayName: 'Web Operator',
      version: '0.1.0',
      minKubeVersion: '1.32.0',
      customresourcedefinitions: { owned: [{ name: 'sites.example.com', version: 'v1', kind: 'Site' }] },
      install: {
        strategy: 'deployment',
        spec: {
          clusterPermissions: [
            {
              serviceAccountName: 'web-operator',
              rules: [{ apiGroups: ['example.com'], resources: ['sites'], verbs: ['get'] }],
            },
          ],
          deployments: [
            {
              name: 'web-operator',
              spec: {
                selector: { matchLabels: labels },
                template: {
                  metadata: { labels },
                  spec: { serviceAccountName: 'web-operator', containers: [container] },
                },
              },
            },
          ],
        },
      },
      installModes: [{ type: 'AllNamespaces', supported: true }],
    },
  };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'sites.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Site', listKind: 'SiteList', plural: 'sites', singular: 'site' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', properties: { host: { type: 'string' }, size: { type: 'integer' } } },
              },
            },
          },
          subresources: { status: {} },
        },
      ],
    },
  };
  const annotations = {
    [`${prefix}mediatype.v1`]: 'registry+v1',
    [`${prefix}manifests.v1`]: 'manifests/',
    [`${prefix}metadata.v1`]: 'metadata/',
    [`${prefix}package.v1`]: 'web-operator',
    [`${prefix}channels.v1`]: 'stable',
  };
  return {
    csv,
    crd,
    annotations,
    /** More files, by their path below the folder; text is written as it is, everything else as YAML. */
    files: {},
  };
}

/** The schema of the small bundle's CRD. */
export function schemaOf(bundle: Loose): Loose {
  return bundle.crd.spec.versions[0].schema.openAPIV3Schema;
}

/** Where a field of the small bundle's install strategy is. */
export function deploymentOf(bundle: Loose): Loose {
  return bundle.csv.spec.install.spec.deployments[0];
}

/** An object of the bundle beside its CSV and its CRD. */
export function addObject(bundle: Loose, apiVersion: string, kind: string, metadata: Loose): void {
  bundle.files[`manifests/${kind.toLowerCase()}-${Object.keys(bundle.files).length}.yaml`] = {
    apiVersion,
    kind,
    metadata,
  };
}

/** The keys of annotations. */
export function bundleKey(name: string): string {
  return `${prefix}${name}`;
}

/** Writes a folder `bundle` with files, until the end of the test; those of the value undefined are left out. */
export function writeBundle(bundle: Loose): string {
  const cwd = mkdtempSync(join(tmpdir(), 'op-sdk-validate-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const files: Record<string, unknown> = {
    'manifests/csv.yaml': bundle.csv,
    'manifests/crd.yaml': bundle.crd,
    'metadata/annotations.yaml':
      bundle.annotations === undefined ? undefined : { annotations: bundle.annotations },
    ...bundle.files,
  };
  for (const [name, content] of Object.entries(files)) {
    if (content === undefined) continue;
    const path = join(cwd, 'bundle', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      typeof content === 'string' || content instanceof Uint8Array ? content : toYaml(content),
    );
  }
  return cwd;
}

/** The verdict on the small bundle, changed. */
export async function judge(
  change: (bundle: Loose) => void = () => undefined,
  options: ValidateOptions = {},
): Promise<ReturnType<typeof judged<BundleVerdict>> & { readonly cwd: string }> {
  const bundle = smallBundle();
  change(bundle);
  const cwd = writeBundle(bundle);
  return { ...judged(await validateBundle('bundle', { ...options, cwd })), cwd };
}

/** The line that a finding is about; `''` without one. */
export function lineOf(finding: Finding | undefined, cwd: string): string {
  const where = finding?.where;
  if (where === undefined || !('file' in where) || where.line === undefined) return '';
  return readFileSync(join(cwd, where.file), 'utf8').split('\n')[where.line - 1] ?? '';
}
