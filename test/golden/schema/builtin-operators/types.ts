import type { CustomResource } from 'opsdk';
import type { Container, PodSpec, PodTemplateSpec, SecretKeySelector } from 'opsdk/k8s/core/v1';

export interface Sample extends CustomResource {
  spec: {
    image: Container['image'];
    port: NonNullable<Container['ports']>[number]['containerPort'];
    ports: Container['ports'];
    pick: Pick<PodSpec, 'nodeSelector' | 'hostAliases'>;
    /** Still replaced as a whole. */
    omit: Omit<SecretKeySelector, 'optional'>;
    partial: Partial<SecretKeySelector>;
    required: Required<SecretKeySelector>;
    metadata: PodTemplateSpec['metadata'];
    keys: keyof SecretKeySelector;
  };
}
