import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonListOf, jsonMapOf, type JsonMap } from '../../../src/base/util/json-map.ts';
import { parseYamlDocuments } from '../../../src/kubernetes/yaml/index.ts';

/** A project of operator-sdk's test data that holds the bundle which operator-sdk made of it. */
export interface ProjectCase {
  readonly folder: string;
  /** What `generate bundle` refuses, and why that is right. */
  readonly refused?: { readonly code: string; readonly reason: string };
}

export const projectCases: readonly ProjectCase[] = [
  ...['testdata/go/v4/memcached-operator', 'testdata/go/v4/monitoring/memcached-operator'].map((folder) => ({
    folder,
    refused: {
      code: 'bundle/cert-manager-volume',
      reason:
        'its patch removes the first volume, which is that of the metrics: the pod would wait forever for the Secret of the webhooks, which cert-manager makes and OLM does not',
    },
  })),
  { folder: 'testdata/helm/memcached-operator' },
];

/** Copies a project without its bundle. Its own patch, applied once more, removes the other volume of cert-manager. */
export function copyProject(from: string, to: string, { refused }: ProjectCase, repaired: boolean): void {
  cpSync(from, to, { recursive: true });
  for (const folder of readdirSync(join(to, 'config'))) {
    const file = join(to, 'config', folder, 'kustomization.yaml');
    const text = readFileSync(file, 'utf8');
    // What these files say is built into kustomize, but for the Issuers of cert-manager, which no bundle holds.
    writeFileSync(file, text.replace(/^configurations:\n- kustomizeconfig\.yaml\n?/m, ''));
  }
  if (refused === undefined || !repaired) return;
  const file = join(to, 'config/manifests/kustomization.yaml');
  const removal = ['containers/0/volumeMounts/0', 'volumes/0'].map(
    (path) => `    - op: remove\n      path: /spec/template/spec/${path}\n`,
  );
  writeFileSync(file, `${readFileSync(file, 'utf8').trimEnd()}\n${removal.join('')}`);
}

/** Objects that operator-sdk's tests collect, a base, and the ClusterServiceVersion that they expect. */
export interface StreamCase {
  readonly stream: string;
  readonly base: string;
  readonly refused: readonly string[];
}

export const streamCases: readonly StreamCase[] = [
  {
    stream: 'basic.operator.yaml',
    base: 'memcached-operator.clusterserviceversion.yaml',
    refused: ['bundle/kind-not-supported', 'bundle/cert-manager-volume'],
  },
  {
    stream: 'basic.operator.yaml',
    base: 'with-ui-metadata.clusterserviceversion.yaml',
    refused: ['bundle/kind-not-supported', 'bundle/cert-manager-volume'],
  },
  {
    stream: 'basic.multiversion.operator.yaml',
    base: 'memcached-operator-multiVersion.yaml',
    refused: ['bundle/missing-role'],
  },
];

/** The folder of a command with the base in its place. */
export function prepareFolder(data: string, { base }: StreamCase, cwd: string): void {
  const bases = join(cwd, 'config/manifests/bases');
  mkdirSync(bases, { recursive: true });
  cpSync(
    join(data, 'clusterserviceversions/bases', base),
    join(bases, 'memcached-operator.clusterserviceversion.yaml'),
  );
}

/** The objects of a stream as OLM of today can install them: what the findings about the stream ask for. */
export function upgraded(text: string): string {
  const documents = parseYamlDocuments(text, 'stream').map(({ value }) => value as JsonMap);
  return documents.map((object) => JSON.stringify(upgrade(object))).join('\n---\n');
}

function upgrade(object: JsonMap): JsonMap {
  const apiVersion = String(object['apiVersion']);
  const v1 = { ...object, apiVersion: apiVersion.replace('/v1beta1', '/v1') };
  switch (object['kind']) {
    case 'CustomResourceDefinition':
      return apiVersion.endsWith('/v1beta1')
        ? { ...v1, spec: v1Definition(jsonMapOf(object['spec'])) }
        : withReviewVersions(object);
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration': {
      // The defaults of operator-sdk, which v1 has not.
      const filled = { admissionReviewVersions: ['v1beta1'], sideEffects: 'None' };
      return {
        ...v1,
        webhooks: jsonListOf(object['webhooks']).map((webhook) => ({ ...filled, ...jsonMapOf(webhook) })),
      };
    }
    case 'RoleBinding':
      // It names a Role of that namespace, and none of its own.
      return {
        ...object,
        metadata: { namespace: 'memcached-operator-system', ...jsonMapOf(object['metadata']) },
      };
    case 'Deployment':
      return withoutCertificates(object);
    default:
      return object;
  }
}

/** The stream has `conversionReviewVersions: null`, which no API server accepts. */
function withReviewVersions(definition: JsonMap): JsonMap {
  const spec = jsonMapOf(definition['spec']);
  const conversion = jsonMapOf(spec['conversion']);
  const webhook = { ...jsonMapOf(conversion['webhook']), conversionReviewVersions: ['v1'] };
  return { ...definition, spec: { ...spec, conversion: { ...conversion, webhook } } };
}

function v1Definition(spec: JsonMap): JsonMap {
  const { version: _version, validation, subresources, conversion, versions, ...rest } = spec;
  const { webhookClientConfig, conversionReviewVersions, strategy } = jsonMapOf(conversion);
  return {
    ...rest,
    conversion: { strategy, webhook: { clientConfig: webhookClientConfig, conversionReviewVersions } },
    versions: jsonListOf(versions).map((each) => ({
      ...jsonMapOf(each),
      schema: validation,
      subresources,
    })),
  };
}

/** Without the volume whose Secret nothing makes under OLM. */
function withoutCertificates(deployment: JsonMap): JsonMap {
  const copy = structuredClone(deployment) as { spec: { template: { spec: Record<string, unknown> } } };
  const pod = copy.spec.template.spec;
  delete pod['volumes'];
  for (const container of jsonListOf(pod['containers']))
    delete (container as Record<string, unknown>)['volumeMounts'];
  return copy;
}
