import { defineResource, type CustomResource, type IntOrString } from 'opsdk';

export interface ShareSpec {
  /** @default 25% */
  plain?: IntOrString;
  /** @k8s {"x-kubernetes-int-or-string":true} */
  bare?: IntOrString;

  /**
   * @k8s {"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"minimum":1}],"x-kubernetes-int-or-string":true}
   */
  allOf?: IntOrString;

  /** @format int-or-string */
  format?: IntOrString;
  /** @items.k8s {"x-kubernetes-int-or-string":true} */
  list?: IntOrString[];
}

export interface Share extends CustomResource<'example.com/v1', 'Share'> {
  spec?: ShareSpec;
}

export const Share = defineResource<Share>({
  group: 'example.com',
  version: 'v1',
  kind: 'Share',
  scope: 'Namespaced',
  crd: { standardFields: { apiVersion: false, kind: false, metadata: false } },
});
