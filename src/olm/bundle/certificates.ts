import type { FindingList } from '../../base/errors/index.ts';
import { describeObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type JsonMap, asText, isJsonMap, compareCodeUnits } from '../../base/util/json-map.ts';
import { labelRequirements, labelsMatch } from '../../base/util/label-selector.ts';
import type { ObjectReader } from './object-reader.ts';
import { containersOf } from './pin-images.ts';
import type { SortedObjects } from './sort-objects.ts';

/** Folder in which controller-runtime expects the certificates of webhooks; OLM mounts them there. */
const CERTIFICATES = '/tmp/k8s-webhook-server/serving-certs';

/**
 * Names of the volumes that OLM replaces with its own if the Deployment serves webhooks or API services. Source: operator-lifecycle-manager
 * `pkg/controller/install/certresources.go`.
 */
const volumesOfOlm = ['apiservice-cert', 'webhook-cert'];

/**
 * Annotation of a Service. Its value is the name of the Secret that OpenShift creates for the certificate of the Service. Source:
 * OpenShift's service-ca-operator.
 */
const SERVING_SECRET = 'service.beta.openshift.io/serving-cert-secret-name';

/**
 * Reports volumes of Secrets that cert-manager would create. OLM does not create these Secrets, so the pod would wait for them forever;
 * instead, OLM mounts the certificates of webhooks itself.
 * @param webhooks the webhook definitions of the ClusterServiceVersion
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
    message: `the bundle leaves out objects of cert-manager, because OLM makes the certificates of webhooks itself: ${certManager.map(({ object }) => describeObject(object)).join(', ')}${conversions}`,
    ...(certManager[0] === undefined ? {} : { where: certManager[0].where }),
    fix: ['to avoid this message, remove these objects by a patch in config/manifests/kustomization.yaml'],
  });
}

function isMountedAtCertificates(read: ObjectReader, deployment: PlacedObject, volume: unknown): boolean {
  return containersOf(read, [deployment]).some(({ path }) =>
    read
      .maps(deployment, ...path, 'volumeMounts')
      .some((mount) => mount['name'] === volume && asText(mount['mountPath']).startsWith(CERTIFICATES)),
  );
}

/**
 * Annotations by which cert-manager injects the CA of a Certificate or Secret into an object. Source: cert-manager
 * `pkg/apis/certmanager/v1`.
 */
const injections = [
  'cert-manager.io/inject-ca-from',
  'cert-manager.io/inject-ca-from-secret',
  'certmanager.k8s.io/inject-ca-from',
];

/**
 * Removes the annotations by which cert-manager would replace the CA that OLM writes into the object. The bundle does not contain the
 * Certificate that these annotations name, so cert-manager would search for it forever. OLM v1 adds its own annotations if it uses
 * cert-manager.
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

/** Default port of a webhook's Service. Source: admissionregistration/v1 `ServiceReference.port`. */
const DEFAULT_PORT = 443;

const typeOf: Readonly<Record<string, string>> = {
  MutatingWebhookConfiguration: 'MutatingAdmissionWebhook',
  ValidatingWebhookConfiguration: 'ValidatingAdmissionWebhook',
};

/**
 * Fields of a webhook that are copied unchanged into a ClusterServiceVersion. Source: operators.coreos.com/v1alpha1 `WebhookDescription`.
 */
const copiedFields = [
  'admissionReviewVersions',
  'failurePolicy',
  'matchPolicy',
  'objectSelector',
  'reinvocationPolicy',
  'rules',
  'sideEffects',
  'timeoutSeconds',
] as const;

/** Fields that restrict the requests for which a webhook is called. They are lost, because a ClusterServiceVersion cannot hold them. */
const lostFields = ['namespaceSelector', 'matchConditions'] as const;

interface Context {
  readonly findings: FindingList;
  readonly read: ObjectReader;
  readonly objects: SortedObjects;
}

/** The Deployment that serves a webhook, and the ports of the webhook. */
interface Target {
  readonly deploymentName: string;
  readonly containerPort: number;
  readonly targetPort: string | number;
}

/**
 * Returns the `webhookdefinitions` of a ClusterServiceVersion: one for each webhook of the webhook configurations, and one for each group
 * of CustomResourceDefinitions that share a conversion webhook. For each definition, OLM itself creates the Service, the certificate and
 * the webhook configuration.
 */
export function webhookDefinitions(
  findings: FindingList,
  read: ObjectReader,
  objects: SortedObjects,
): readonly JsonMap[] {
  const context: Context = { findings, read, objects };
  const definitions = [
    ...objects.webhookConfigurations.flatMap((configuration) => admission(context, configuration)),
    ...conversions(context),
  ];
  return definitions.sort((a, b) => compareCodeUnits(asText(a['generateName']), asText(b['generateName'])));
}

function admission(context: Context, configuration: PlacedObject): readonly JsonMap[] {
  const { findings, read } = context;
  return read.maps(configuration, 'webhooks').flatMap((webhook, index) => {
    const name = asText(webhook['name'] ?? index);
    const label = `${describeObject(configuration.object)}: the webhook ${name}`;
    for (const field of lostFields) {
      if (isEmpty(webhook[field])) continue;
      findings.add({
        code: 'bundle/webhook-field',
        message: `${label} has a ${field}, which a ClusterServiceVersion cannot hold; without it the webhook would be called for more objects`,
        where: configuration.where,
        fix: [
          `let the operator itself ignore what the ${field} excludes, and remove the ${field} by a patch in config/manifests/kustomization.yaml`,
        ],
      });
    }
    const client = isJsonMap(webhook['clientConfig']) ? webhook['clientConfig'] : {};
    const target = targetOf(context, configuration, label, client);
    if (target === undefined) return [];
    const path = isJsonMap(client['service']) ? client['service']['path'] : undefined;
    return [
      {
        type: typeOf[configuration.object.kind],
        generateName: name,
        ...target,
        ...(typeof path === 'string' ? { webhookPath: path } : {}),
        ...Object.fromEntries(
          copiedFields.flatMap((field) => (webhook[field] === undefined ? [] : [[field, webhook[field]]])),
        ),
      },
    ];
  });
}

/** Returns the definitions of conversion webhooks. Kinds that the same server converts at the same path share a definition. */
function conversions(context: Context): readonly JsonMap[] {
  const { read, objects } = context;
  const groups = new Map<string, { crds: PlacedObject[]; definition: JsonMap }>();
  for (const crd of objects.crds) {
    if (read.text(crd, 'spec', 'conversion', 'strategy') !== 'Webhook') continue;
    const client = read.map(crd, 'spec', 'conversion', 'webhook', 'clientConfig');
    const label = `${describeObject(crd.object)}: the conversion webhook`;
    const target = targetOf(context, crd, label, client);
    if (target === undefined) continue;
    const service = isJsonMap(client['service']) ? client['service'] : {};
    const path = typeof service['path'] === 'string' ? service['path'] : '/';
    const versions = read.list(crd, 'spec', 'conversion', 'webhook', 'conversionReviewVersions');
    const definition = {
      ...target,
      webhookPath: path,
      admissionReviewVersions: versions,
      sideEffects: 'None',
      type: 'ConversionWebhook',
    };
    const id = JSON.stringify(definition);
    groups.set(id, { crds: [...(groups.get(id)?.crds ?? []), crd], definition });
  }
  return [...groups.values()].map(({ crds, definition }) => {
    const plurals = crds.map((crd) => read.text(crd, 'spec', 'names', 'plural') ?? '');
    return {
      ...definition,
      generateName: `c${plurals.join('')}.kb.io`,
      conversionCRDs: crds.map(({ object }) => object.metadata.name),
    };
  });
}

function targetOf(
  { findings, read, objects }: Context,
  owner: PlacedObject,
  label: string,
  client: JsonMap,
): Target | undefined {
  const unresolved = (message: string, fix: string): undefined => {
    findings.add({
      code: 'bundle/webhook-target',
      message: `${label} ${message}`,
      where: owner.where,
      fix: [fix],
    });
  };
  const reference = isJsonMap(client['service']) ? client['service'] : undefined;
  if (reference === undefined) {
    return unresolved(
      'is called by a URL; OLM calls webhooks through a Service of the operator only',
      'name the Service in clientConfig.service',
    );
  }
  const { name, namespace } = reference;
  const service = objects.services.find(
    ({ object }) =>
      object.metadata.name === name &&
      (object.metadata.namespace === undefined || object.metadata.namespace === namespace),
  );
  if (service === undefined) {
    return unresolved(
      `calls the Service ${asText(namespace)}/${asText(name)}, which is not among the objects`,
      'add the Service, or correct its name',
    );
  }
  const selector = labelRequirements({ matchLabels: read.texts(service, 'spec', 'selector') });
  const deployments = objects.deployments.filter((deployment) => {
    const labels = read.texts(deployment, 'spec', 'template', 'metadata', 'labels');
    return selector.length > 0 && labelsMatch(selector, labels);
  });
  const [deployment, ...others] = deployments;
  if (deployment === undefined || others.length > 0) {
    return unresolved(
      `calls ${describeObject(service.object)}, whose selector fits ${deployment === undefined ? 'no Deployment' : `${deployments.length} Deployments`}`,
      'make the selector of the Service fit the pods of the one Deployment that answers',
    );
  }
  const wanted = reference['port'] ?? DEFAULT_PORT;
  const port = read.maps(service, 'spec', 'ports').find((candidate) => candidate['port'] === wanted);
  if (port === undefined || typeof wanted !== 'number') {
    return unresolved(
      `calls port ${asText(wanted)} of ${describeObject(service.object)}, which has no such port`,
      'add the port to the Service, or correct clientConfig.service.port',
    );
  }
  const targetPort = port['targetPort'];
  return {
    deploymentName: deployment.object.metadata.name,
    containerPort: wanted,
    targetPort: typeof targetPort === 'string' || typeof targetPort === 'number' ? targetPort : wanted,
  };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonMap(value) && Object.keys(value).length === 0;
}
