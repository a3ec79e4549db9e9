import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { judgeV1 } from '../../../../src/olm/run/judge-v1.ts';
import type { Judgement } from '../../../../src/olm/run/judgement.ts';
import { ObservedObjects } from '../../../../src/olm/run/observed.ts';
import { available, condition, deployment, namespace, object } from './objects.ts';

const judge = (...objects: KubeObject[]): Judgement =>
  judgeV1(new ObservedObjects(objects), {
    catalog: 'catalog',
    extension: 'web',
    package: 'web',
    version: '1.0.0',
    namespace,
    deployments: ['web'],
  });

const catalog = (...conditions: unknown[]): KubeObject =>
  object('ClusterCatalog', 'catalog', { status: { conditions } });
const serving = catalog(
  condition('Progressing', 'True', { reason: 'Succeeded' }),
  condition('Serving', 'True'),
);
const extension = (conditions: readonly unknown[], version?: string, generation = 1): KubeObject =>
  object('ClusterExtension', 'web', {
    metadata: { generation },
    status: { conditions, ...(version === undefined ? {} : { install: { bundle: { version } } }) },
  });
const installed = condition('Installed', 'True', { observedGeneration: 1 });
const retrying = (message: string, more: Readonly<Record<string, unknown>> = {}) =>
  condition('Progressing', 'True', { reason: 'Retrying', message, observedGeneration: 1, ...more });

describe('an operator is done', () => {
  test('when its version is installed, and its Deployment is rolled out', () => {
    expect(judge(serving, extension([installed], '1.0.0'), deployment(available))).toEqual({ state: 'done' });
  });

  test('not while another version is installed', () => {
    expect(judge(serving, extension([installed], '0.9.0'), deployment(available))).toMatchObject({
      state: 'waiting',
      line: 'waiting for ClusterExtension web: version 1.0.0 is being installed, 0.9.0 is installed',
    });
  });

  test('not by what was said of a former generation', () => {
    expect(judge(serving, extension([installed], '1.0.0', 2), deployment(available))).toMatchObject({
      state: 'waiting',
    });
    expect(
      judge(serving, extension([retrying('no bundles found for package "web"')], undefined, 2)),
    ).toMatchObject({
      state: 'waiting',
    });
  });

  test('not while its catalogue is not served', () => {
    const down = catalog(
      condition('Progressing', 'True', { reason: 'Succeeded' }),
      condition('Serving', 'False'),
    );
    expect(judge(down, extension([installed], '1.0.0'), deployment(available))).toMatchObject({
      state: 'waiting',
      step: 'catalog',
    });
  });
});

describe('what OLM v1 says', () => {
  test.each([
    [
      'error walking catalogs: error getting package "web" from catalog "other": catalog "other" is not being served',
      'olm/other-catalog',
    ],
    [
      'error for resolved bundle "web.v1": open metadata/annotations.yaml: no such file or directory',
      'olm/bundle-unreadable',
    ],
    [
      'error for resolved bundle "web.v1": no matches for kind "Certificate" in version "cert-manager.io/v1"',
      'olm/install-failed',
    ],
    ['roles.rbac.authorization.k8s.io "web" is forbidden: user may not', 'olm/missing-permission'],
    [
      "Service 'web' already exists in namespace 'demo' and cannot be managed by operator-controller",
      'olm/object-exists',
    ],
  ])('%s: %s', (message, code) => {
    expect(judge(serving, extension([retrying(message)]))).toMatchObject({
      state: 'failed',
      terminal: false,
      finding: { code, where: { object: 'clusterextension.olm.operatorframework.io/web' } },
    });
  });

  test('of its own catalogue that was not served yet is normal', () => {
    const message = 'error walking catalogs: from catalog "catalog": catalog "catalog" is not being served';
    expect(judge(serving, extension([retrying(message)]))).toMatchObject({
      state: 'waiting',
      step: 'install',
    });
  });

  test('of something that blocks is final', () => {
    const blocked = retrying('no bundles found for package "web"', { reason: 'Blocked' });
    expect(judge(serving, extension([blocked]))).toMatchObject({ state: 'failed', terminal: true });
  });

  test('of a kind that is there already: who owns it', () => {
    const message =
      "CustomResourceDefinition 'webs.example.com' already exists in namespace '' and cannot be managed by operator-controller";
    const crd = object('CustomResourceDefinition', 'webs.example.com', {
      metadata: { labels: { 'olm.operatorframework.io/owner-name': 'other' } },
    });
    expect(judge(serving, extension([retrying(message)]), crd)).toMatchObject({
      finding: {
        code: 'olm/api-conflict',
        message: `ClusterExtension other owns CustomResourceDefinition webs.example.com: ${message}`,
      },
    });
  });

  test('of a catalogue: its image, or its content', () => {
    const pull = catalog(retrying('source catalog content: error creating image source: manifest unknown'));
    expect(judge(pull)).toMatchObject({ finding: { code: 'olm/catalog-image' } });
    const content = catalog(retrying('error storing fbc: invalid package'));
    expect(judge(content)).toMatchObject({ finding: { code: 'olm/catalog-not-served' } });
  });
});
