import type { CustomResource, Int32 } from 'opsdk';

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
export interface NginxOperatorStatus {}

/** NginxOperator is the Schema for the nginxoperators API */
export interface Sample extends CustomResource {
  spec: NginxOperatorSpec;
  status?: NginxOperatorStatus;
}
