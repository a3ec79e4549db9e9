// What controller-gen reads from the markers of Kubernetes' Go types and the OpenAPI documents do not tell.
// Source: k8s.io/api and k8s.io/apimachinery v0.36.3, `+kubebuilder:` and `+default` in */types.go. Look again when the
// version changes: grep -rn '+kubebuilder:\|+default=\(""\|0\|false\)'.

const core = 'io.k8s.api.core.v1';
const condition = 'io.k8s.apimachinery.pkg.apis.meta.v1.Condition';
const qualifiedName =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

/** Validation by field: what becomes part of a CRD that uses the type. */
export const validation = new Map([
  [`${condition}.type`, { maxLength: 316, pattern: qualifiedName }],
  [`${condition}.status`, { enum: ['True', 'False', 'Unknown'] }],
  [`${condition}.observedGeneration`, { minimum: 0 }],
  [
    `${condition}.reason`,
    { maxLength: 1024, minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
  ],
  [`${condition}.message`, { maxLength: 32768 }],
  [`${core}.ImageVolumeStatus.imageRef`, { maxLength: 256 }],
  [`${core}.PortStatus.error`, { maxLength: 316, pattern: qualifiedName }],
  ['io.k8s.api.networking.v1.IngressPortStatus.error', { maxLength: 316, pattern: qualifiedName }],
]);

/** Optional fields whose default really is a zero value; elsewhere it is only the absence of a pointer. */
export const realZeroDefaults = new Set([
  // `+default=""` of LocalObjectReference.name and of the types that inline it; it makes `name` fit to be a list-map key
  ...['LocalObjectReference', 'ConfigMapEnvSource', 'ConfigMapKeySelector', 'ConfigMapProjection'].map(
    (type) => `${core}.${type}.name`,
  ),
  ...['ConfigMapVolumeSource', 'SecretEnvSource', 'SecretKeySelector', 'SecretProjection'].map(
    (type) => `${core}.${type}.name`,
  ),
  `${core}.GRPCAction.service`,
  `${core}.AzureDiskVolumeSource.readOnly`,
  `${core}.FileKeySelector.optional`,
  `${core}.ReplicationControllerSpec.minReadySeconds`,
]);
