// What the API server asks a webhook of the kind Site: objects with what it puts into them, in reviews of the real form.

const group = 'web.example.com';

/** The uid of every review. */
const uid = '00000000-0000-0000-0000-000000000000';

/** An object as it comes to the webhooks when it is created, of the hub's version. What `default` fills in is missing in some places. */
export function site(index, routes) {
  const name = `shop-${index}`;
  return {
    apiVersion: `${group}/v1beta1`,
    kind: 'Site',
    metadata: {
      ...metadataOf(name, index),
      managedFields: [
        {
          ...{ apiVersion: `${group}/v1beta1`, fieldsType: 'FieldsV1', manager: 'kubectl-create' },
          ...{ operation: 'Update', time: '2026-03-14T09:26:53Z' },
          fieldsV1: {
            'f:metadata': { 'f:labels': { '.': {}, 'f:app.kubernetes.io/name': {}, 'f:team': {} } },
            'f:spec': {
              ...{ '.': {}, 'f:env': {}, 'f:routes': {} },
              'f:image': { '.': {}, 'f:repository': {}, 'f:tag': {} },
            },
          },
        },
      ],
    },
    spec: {
      image: { repository: `registry.example.com/shops/${name}`, tag: `1.${index}.0` },
      env: [
        { name: 'DATABASE_URL', value: `postgres://shop-${index}.database.svc:5432/orders` },
        { name: 'CURRENCY', value: 'EUR' },
      ],
      routes: Array.from({ length: routes }, (_, number) => route(name, number)),
    },
  };
}

function metadataOf(name, index) {
  return {
    creationTimestamp: '2026-03-14T09:26:53Z',
    generation: 1,
    labels: { 'app.kubernetes.io/name': name, team: `team-${index % 7}` },
    name,
    namespace: 'shops',
    uid: `5f0c9d7e-3b1a-4a52-8d6f-${String(index).padStart(12, '0')}`,
  };
}

function route(name, number) {
  return {
    host: `${number === 0 ? 'www' : `region-${number}`}.${name}.example.com`,
    ...(number % 2 === 0 ? { headers: { 'x-forwarded-prefix': `/r${number}` } } : {}),
    path: `/catalogue/${number}`,
    port: 8080 + (number % 100),
    protocol: 'HTTP',
    // The others get it from `default`.
    ...(number % 10 === 1 ? {} : { weight: 10 + (number % 90) }),
  };
}

/** The same object as it is stored in the older version. */
export function olderSite(index, routes) {
  const { metadata, spec } = site(index, routes);
  const { repository, tag } = spec.image;
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'Site',
    metadata,
    spec: { ...spec, image: `${repository}:${tag}`, logLevel: 'info', replicas: 2 },
    status: {
      conditions: [
        {
          ...{ lastTransitionTime: '2026-03-14T09:27:11Z', message: 'all routes answer' },
          ...{ observedGeneration: 1, reason: 'RoutesReady', status: 'True', type: 'Ready' },
        },
      ],
      observedGeneration: 1,
    },
  };
}

/** Source: admission/v1 `AdmissionReview`, and what kube-apiserver sends. */
export function admissionReview(object) {
  const { name, namespace } = object.metadata;
  const kind = { group, version: 'v1beta1', kind: 'Site' };
  const resource = { group, version: 'v1beta1', resource: 'sites' };
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      ...{ uid, kind, resource, requestKind: kind, requestResource: resource, name, namespace },
      operation: 'CREATE',
      userInfo: {
        username: 'system:serviceaccount:delivery:deployer',
        uid: '8a3e6d52-41c7-4b9e-9a1d-6a2f0c5b7e11',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:delivery', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': ['JTI=0b7d2f4e-6c1a-4f0e-b8f5-2f9f6f1d3c77'] },
      },
      ...{ object, oldObject: null, dryRun: false },
      options: {
        ...{ kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
        ...{ fieldManager: 'kubectl-create', fieldValidation: 'Strict' },
      },
    },
  };
}

/** Source: apiextensions/v1 `ConversionReview`. */
export function conversionReview(objects) {
  return {
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.k8s.io/v1',
    request: { uid, desiredAPIVersion: `${group}/v1beta1`, objects },
  };
}

/** Where the two webhooks and the conversion are served, by controller-runtime as by op-sdk. */
export const paths = {
  default: '/mutate-web-example-com-v1beta1-site',
  validate: '/validate-web-example-com-v1beta1-site',
  convert: '/convert',
};

/** How many routes make an object of about 1.4 kB, and of about 23 kB. */
export const sizes = { small: 5, large: 178 };
