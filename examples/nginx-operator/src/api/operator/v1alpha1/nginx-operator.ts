import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';

/** NginxOperatorSpec defines the desired state of NginxOperator */
export interface NginxOperatorSpec {
  /** Port is the port number to expose on the Nginx Pod */
  port?: Int32;
  /** Replicas is the number of deployment replicas to scale */
  replicas?: Int32;
  /** ForceRedploy is any string, modifying this field instructs the Operator to redeploy the Operand */
  forceRedploy?: string;
}

/** NginxOperatorStatus defines the observed state of NginxOperator */
export interface NginxOperatorStatus {
  /** Conditions is the list of status condition updates */
  conditions?: ListMap<Condition, 'type'>;
}

/** NginxOperator is the Schema for the nginxoperators API */
export interface NginxOperator extends CustomResource<'operator.example.com/v1alpha1', 'NginxOperator'> {
  spec: NginxOperatorSpec;
  status?: NginxOperatorStatus;
}

export const NginxOperator = defineResource<NginxOperator>({
  group: 'operator.example.com',
  version: 'v1alpha1',
  kind: 'NginxOperator',
  scope: 'Namespaced',
});
