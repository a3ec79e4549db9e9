import {
  defineController,
  defineResource,
  externalResource,
  type CustomResource,
  type Int32,
  type KubeObject,
  type ListMap,
} from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { ConfigMap, Secret, type ResourceRequirements } from 'opsdk/k8s/core/v1';
import type { Condition } from 'opsdk/k8s/meta/v1';

interface Certificate extends KubeObject<'cert-manager.io/v1', 'Certificate'> {
  spec: { secretName: string };
}
const Certificate = externalResource<Certificate>({
  group: 'cert-manager.io',
  version: 'v1',
  kind: 'Certificate',
  plural: 'certificates',
  scope: 'Namespaced',
});

interface Endpoint {
  /**
   * Where it is.
   *
   * @displayName URL
   * @descriptor spec urn:alm:descriptor:com.tectonic.ui:text
   * @descriptor status urn:alm:descriptor:org.w3:link
   */
  url: string;
  /** @descriptor spec urn:alm:descriptor:com.tectonic.ui:booleanSwitch, urn:alm:descriptor:com.tectonic.ui:advanced */
  verify?: boolean;
}

/**
 * A gateway.
 *
 * @displayName API Gateway
 */
export interface HTTPGateway extends CustomResource<'net.example.com/v1', 'HTTPGateway'> {
  spec: {
    /** Which one: a `quoted` "text" with: colons. */
    className: string;
    /**
     * How many.
     * @minimum 1
     * @descriptor spec order=1 urn:alm:descriptor:com.tectonic.ui:podCount
     */
    replicas: Int32;
    /** @descriptor spec order=2 urn:alm:descriptor:com.tectonic.ui:resourceRequirements */
    resources?: ResourceRequirements;
    backends: ListMap<{ name: string; endpoint: Endpoint }, 'name'>;
  };
  status?: {
    /** @descriptor status urn:alm:descriptor:io.kubernetes.conditions */
    conditions?: ListMap<Condition, 'type'>;
    main?: Endpoint;
  };
}

export const HTTPGateway = defineResource<HTTPGateway>({
  group: 'net.example.com',
  version: 'v1',
  kind: 'HTTPGateway',
});

export const controller = defineController({
  for: HTTPGateway,
  owns: [Deployment],
  async reconcile(gateway, { client, key }) {
    const secret = await client.live.get(Secret, key);
    await client.apply(ConfigMap, { metadata: key, data: { found: String(secret !== undefined) } });
    await client.apply(Certificate, { metadata: key, spec: { secretName: gateway.spec.className } });
  },
});
