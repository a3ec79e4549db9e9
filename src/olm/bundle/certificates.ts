import type { FindingList } from '../../base/errors/index.ts';
import { describeObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type JsonMap, asText, isJsonMap } from '../../base/util/json-map.ts';
import type { ObjectReader } from './object-reader.ts';
import { containersOf } from './related-images.ts';
import type { SortedObjects } from './sort-objects.ts';

/** Where controller-runtime, and OLM for it, put the certificates of webhooks. */
const CERTIFICATES = '/tmp/k8s-webhook-server/serving-certs';

/**
 * The volumes that OLM puts in the place of those of the same names, if the Deployment answers webhooks or API services.
 * Source: operator-lifecycle-manager `pkg/controller/install/certresources.go`.
 */
const volumesOfOlm = ['apiservice-cert', 'webhook-cert'];

/** OpenShift makes the Secret that this annotation of a Service names. Source: OpenShift's service-ca-operator. */
const SERVING_SECRET = 'service.beta.openshift.io/serving-cert-secret-name';

/**
 * Notes volumes whose Secret cert-manager would make: under OLM there is none, and the pod would wait for it forever.
 * OLM mounts the certificates of webhooks itself.
 * @param webhooks the definitions of the ClusterServiceVersion
 */
export function checkCertificates(
  findings: FindingList,
  warnings: FindingList,
  read: ObjectReader,
  { certManager, crds, deployments, others, services }: SortedObjects,
  webhooks: readonly JsonMap[],
): void {
  const created = new Set([
    ...others.filter(({ object }) => object.kind === 'Secret').map(({ object }) => object.metadata.name),
    ...services.map((service) => read.text(service, 'metadata', 'annotations', SERVING_SECRET) ?? ''),
  ]);
  const secrets = new Map<string, PlacedObject>();
  for (const certificate of certManager.filter(({ object }) => object.kind === 'Certificate')) {
    const name = read.text(certificate, 'spec', 'secretName');
    if (name !== undefined) secrets.set(name, certificate);
  }
  for (const deployment of deployments) {
    const answers = webhooks.some(({ deploymentName }) => deploymentName === deployment.object.metadata.name);
    for (const [index, volume] of read.maps(deployment, 'spec', 'template', 'spec', 'volumes').entries()) {
      const secret = isJsonMap(volume['secret']) ? volume['secret'] : {};
      const name = asText(secret['secretName']);
      const certificate = secrets.get(name);
      if (secret['optional'] === true || (answers && volumesOfOlm.includes(asText(volume['name'])))) continue;
      const isServing =
        name !== '' && !created.has(name) && isMountedAtCertificates(read, deployment, volume['name']);
      if (certificate === undefined && !isServing) continue;
      const origin =
        certificate === undefined
          ? `is the Secret ${name} with the certificates of webhooks, which is not among the objects`
          : `is a Secret that cert-manager makes from ${describeObject(certificate.object)}; OLM installs no Certificates`;
      findings.add({
        code: 'bundle/cert-manager-volume',
        message: `${describeObject(deployment.object)}: spec.template.spec.volumes[${index}] ${origin}, so the pod would wait for it forever`,
        where: deployment.where,
        fix: [
          'remove the volume and its volumeMount by a patch in config/manifests/kustomization.yaml; OLM mounts the certificates of webhooks itself',
        ],
      });
    }
  }
  if (certManager.length === 0) return;
  const converted = crds.filter((crd) => read.text(crd, 'spec', 'conversion', 'strategy') === 'Webhook');
  const conversions =
    converted.length === 0
      ? ''
      : `; it puts a Service of its own into spec.conversion of ${converted.map(({ object }) => describeObject(object)).join(', ')}`;
  warnings.add({
    code: 'bundle/left-out',
    message: `OLM makes the certificates of webhooks itself; left out: ${certManager.map(({ object }) => describeObject(object)).join(', ')}${conversions}`,
    ...(certManager[0] === undefined ? {} : { where: certManager[0].where }),
    fix: ['remove them by a patch in config/manifests/kustomization.yaml to be rid of this message'],
  });
}

function isMountedAtCertificates(read: ObjectReader, deployment: PlacedObject, volume: unknown): boolean {
  return containersOf(read, [deployment]).some(({ path }) =>
    read
      .maps(deployment, ...path, 'volumeMounts')
      .some((mount) => mount['name'] === volume && asText(mount['mountPath']).startsWith(CERTIFICATES)),
  );
}

/** Annotations by which cert-manager puts the authority of a Certificate or Secret into an object. Source: cert-manager `pkg/apis/certmanager/v1`. */
const injections = [
  'cert-manager.io/inject-ca-from',
  'cert-manager.io/inject-ca-from-secret',
  'certmanager.k8s.io/inject-ca-from',
];

/**
 * A CustomResourceDefinition without the annotations by which cert-manager would replace the authority that OLM writes: the Certificate
 * that they name is not in the bundle, and cert-manager never stops looking for it. OLM v1 adds its own where it uses cert-manager.
 */
export function withoutInjection(crd: PlacedObject): PlacedObject {
  const { annotations, ...metadata } = crd.object.metadata;
  if (annotations === undefined || !injections.some((name) => Object.hasOwn(annotations, name))) return crd;
  const kept = Object.entries(annotations).filter(([name]) => !injections.includes(name));
  const object = {
    ...crd.object,
    metadata: kept.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(kept) },
  };
  return { ...crd, object };
}
