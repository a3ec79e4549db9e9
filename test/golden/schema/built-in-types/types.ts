import type { CustomResource, ListMap, ObjectMeta } from 'opsdk';
import type { ContainerPort, EnvVar, LocalObjectReference, ResourceRequirements } from 'opsdk/k8s/core/v1';
import type { Condition, LabelSelector } from 'opsdk/k8s/meta/v1';

export interface Sample extends CustomResource {
  spec: {
    /** The ports of the Pod. */
    ports?: ListMap<ContainerPort, 'containerPort' | 'protocol'>;
    plain?: ContainerPort[];
    env?: ListMap<EnvVar, 'name'>;
    resources?: ResourceRequirements;
    selector: LabelSelector | null;
    /** @immutable */
    secret?: LocalObjectReference;
    template?: { metadata?: ObjectMeta };
  };
  status?: { conditions?: Condition[] };
}
