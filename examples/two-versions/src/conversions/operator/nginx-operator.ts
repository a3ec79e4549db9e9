import { defineConversion } from 'opsdk';
import { NginxOperator as NginxOperatorV1alpha1 } from '../../api/operator/v1alpha1/nginx-operator.ts';
import { NginxOperator } from '../../api/operator/v1alpha2/nginx-operator.ts';

/**
 * v1alpha1 has one port, v1alpha2 a list of them. Further ports, and what v1alpha1 cannot say of the first one, are kept in an annotation: who
 * changes the port by v1alpha1 changes the first one, and the others stay.
 */
export const nginxOperatorConversion = defineConversion(NginxOperator).spoke(NginxOperatorV1alpha1, {
  to: ({ spec: { port, replicas, forceRedploy }, status }) => ({
    spec: {
      // As the API server would fill it in: what v1alpha1 implies is then what v1alpha2 holds, and nothing has to be kept.
      ports: port === undefined ? undefined : [{ containerPort: port, protocol: 'TCP' }],
      ...{ replicas, forceRedploy },
    },
    status,
  }),
  from: ({ spec: { ports, replicas, forceRedploy }, status }) => ({
    spec: { port: ports?.[0]?.containerPort, replicas, forceRedploy },
    status,
  }),
});
