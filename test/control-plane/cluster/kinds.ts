export { CustomResourceDefinition as Crd } from '../../../src/k8s/generated/apiextensions/v1.ts';
export { Deployment } from '../../../src/k8s/generated/apps/v1.ts';
export { ConfigMap, Namespace, Pod } from '../../../src/k8s/generated/core/v1.ts';
