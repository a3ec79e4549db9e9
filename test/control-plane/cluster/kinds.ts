export { CustomResourceDefinition as Crd } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
export { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
export { ConfigMap, Namespace, Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
