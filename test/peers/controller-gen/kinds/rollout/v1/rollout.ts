import { defineResource, type CustomResource, type ListMap, type EmbeddedObjectMeta } from 'opsdk';
import type { DeploymentStatus, RollingUpdateDeployment } from 'opsdk/k8s/apps/v1';
import type {
  ContainerPort,
  EnvVar,
  PersistentVolumeClaimSpec,
  PodTemplateSpec,
  SecretKeySelector,
} from 'opsdk/k8s/core/v1';
import type { LabelSelector } from 'opsdk/k8s/meta/v1';

/** ClaimTemplate makes volume claims. */
export interface ClaimTemplate {
  /** Metadata of each claim. */
  metadata?: EmbeddedObjectMeta;

  /** Spec of each claim. */
  spec: PersistentVolumeClaimSpec;
}

/** RolloutSpec defines the desired state of Rollout. */
export interface RolloutSpec {
  /** Selector of the pods. */
  selector: LabelSelector;

  /** Pod that is run. */
  pod: PodTemplateSpec;

  /**
   * Claims by name.
   *
   * @allow schema/map-of-objects the names are those of volumes, as in Go
   */
  claims?: Record<string, ClaimTemplate>;

  /** Strategy of the update. */
  strategy?: RollingUpdateDeployment;

  /** Ports that are exposed. */
  ports?: ListMap<ContainerPort, 'containerPort' | 'protocol'>;

  /** Secret with the key. */
  secret?: SecretKeySelector;

  /** Env of all containers. */
  env?: ListMap<EnvVar, 'name'>;
}

/** Rollout is the Schema for the rollouts API. */
export interface Rollout extends CustomResource {
  /** Paused stops everything. */
  paused?: boolean;

  /** Spec of the rollout. */
  spec: RolloutSpec;

  /** Status is that of a Deployment. */
  status?: DeploymentStatus;
}

export const Rollout = defineResource<Rollout>({
  group: 'apps.peers.example.com',
  version: 'v1',
  kind: 'Rollout',
});
