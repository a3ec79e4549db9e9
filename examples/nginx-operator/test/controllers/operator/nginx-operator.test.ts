import { expect, it } from 'vitest';
import type { NginxOperator, NginxOperatorSpec } from '../../../src/api/operator/v1alpha1/nginx-operator.ts';
import { desiredDeployment, observedStatus } from '../../../src/controllers/operator/nginx-operator.ts';

const nginx = (spec: NginxOperatorSpec): NginxOperator => ({
  apiVersion: 'operator.example.com/v1alpha1',
  kind: 'NginxOperator',
  metadata: { name: 'cluster', namespace: 'web' },
  spec,
});

it('carries the name and namespace of the resource', () => {
  expect(desiredDeployment(nginx({})).metadata).toMatchObject({ name: 'cluster', namespace: 'web' });
});

it("leaves the asset's replicas where none are asked for, and takes zero for an answer", () => {
  expect(desiredDeployment(nginx({})).spec?.replicas).toBe(1);
  expect(desiredDeployment(nginx({ replicas: 0 })).spec?.replicas).toBe(0);
});

it('sets the port of the container', () => {
  const [container] = desiredDeployment(nginx({ port: 8080 })).spec?.template.spec?.containers ?? [];
  expect(container?.ports).toEqual([{ containerPort: 8080 }]);
});

it('changes the pod template when a redeployment is forced', () => {
  const first = desiredDeployment(nginx({ forceRedploy: 'one' }));
  const second = desiredDeployment(nginx({ forceRedploy: 'two' }));
  expect(first.spec?.template).not.toEqual(second.spec?.template);
});

it('says that the operator works, and how many Pods are ready', () => {
  const site = nginx({ replicas: 2 });
  const deployment = desiredDeployment(site);
  expect(observedStatus(site, deployment).conditions).toMatchObject([
    { type: 'OperatorDegraded', status: 'False', reason: 'OperatorSucceeded' },
    { type: 'Ready', status: 'False', reason: 'PodsNotReady', message: '0 of 2 Pods are ready' },
  ]);
  deployment.status = { readyReplicas: 2 };
  expect(observedStatus(site, deployment).conditions?.[1]).toMatchObject({
    ...{ status: 'True', reason: 'PodsReady', message: '2 of 2 Pods are ready' },
  });
});
