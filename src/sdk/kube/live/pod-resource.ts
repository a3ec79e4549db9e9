import type { KubeObject, Resource } from '../../api/index.ts';

/** Token of Pods for requests to their subresources. This room may not use the generated tokens of built-in kinds. */
export const podResource = {
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
} as Resource<KubeObject<'v1', 'Pod'>>;
