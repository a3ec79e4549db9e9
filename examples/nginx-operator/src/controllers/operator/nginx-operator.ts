import { conditionsOf, defineController, loadManifest, mutableCopy, ownedBy } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { NginxOperator, type NginxOperatorStatus } from '../../api/operator/v1alpha1/nginx-operator.ts';

const asset = loadManifest(Deployment, 'assets/nginx_deployment.yaml');

/** The Deployment that an NginxOperator asks for: the asset, with the fields that the user has set. */
export function desiredDeployment(nginx: NginxOperator): Deployment {
  const deployment: Deployment = mutableCopy(asset);
  const { port, replicas, forceRedploy } = nginx.spec;
  deployment.metadata = {
    name: nginx.metadata.name,
    namespace: nginx.metadata.namespace,
    labels: deployment.metadata.labels,
  };
  const { spec } = deployment;
  if (spec === undefined) throw new Error('assets/nginx_deployment.yaml has no spec');
  // Zero is a wish like any other; only an absent field leaves the asset's value.
  if (replicas !== undefined) spec.replicas = replicas;
  const container = spec.template.spec?.containers[0];
  if (port !== undefined && container !== undefined) container.ports = [{ containerPort: port }];
  if (forceRedploy !== undefined) {
    // A changed annotation of the pod template makes a Deployment roll out again.
    const metadata = (spec.template.metadata ??= {});
    metadata.annotations = { ...metadata.annotations, 'operator.example.com/force-redeploy': forceRedploy };
  }
  return deployment;
}

/** The condition types that this controller sets. */
const conditionTypes = ['OperatorDegraded', 'Ready'] as const;

/** OperatorDegraded is about the operator's own work, Ready about the Pods that it asked for. */
export function observedStatus(nginx: NginxOperator, deployment: Deployment): NginxOperatorStatus {
  const replicas = deployment.spec?.replicas ?? 1;
  const readyReplicas = deployment.status?.readyReplicas ?? 0;
  const message = `${readyReplicas} of ${replicas} Pods are ready`;
  const conditions = conditionsOf(nginx, conditionTypes);
  conditions.false('OperatorDegraded', 'OperatorSucceeded', 'operator successfully reconciling');
  if (readyReplicas >= replicas) conditions.true('Ready', 'PodsReady', message);
  else conditions.false('Ready', 'PodsNotReady', message);
  return { conditions: conditions.toJSON() };
}

export const nginxOperatorController = defineController({
  for: NginxOperator,
  owns: [Deployment],
  async reconcile(nginx, { client, key, log }) {
    const deployment = desiredDeployment(nginx);
    const applied = await client.apply(Deployment, {
      ...deployment,
      metadata: { ...deployment.metadata, ...ownedBy(nginx) },
    });
    log.info({ deployment: applied.metadata.name, replicas: applied.spec?.replicas }, 'Deployment applied');
    await client.applyStatus(NginxOperator, key, observedStatus(nginx, applied));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(nginx, { message }, { client, key }) {
    const conditions = conditionsOf(nginx, conditionTypes);
    const sentence = `unable to update operand deployment: ${message}`;
    conditions.true('OperatorDegraded', 'OperandDeploymentFailed', sentence);
    await client.applyStatus(NginxOperator, key, { conditions: conditions.toJSON() });
  },
});
