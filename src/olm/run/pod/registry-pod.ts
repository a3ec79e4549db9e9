import type { ManifestObject } from '../../../kubernetes/yaml/index.ts';
import { contentKey } from './catalog-config-maps.ts';
import { registryPort, type PodCatalog } from './pod-catalog.ts';

/** The most characters of a label of the DNS. */
const labelLength = 63;

/**
 * The name of the Pod for a bundle: that of operator-sdk.
 *
 * @param image of the bundle
 */
export function registryPodName(image: string): string {
  const name = image
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return lastOfLabel(name);
}

/** Another name for a Pod, while one has that name. */
export function otherPodName(name: string, purpose: string): string {
  return lastOfLabel(`${name}-${purpose}`);
}

/** The end of a text, as far as a label holds it. */
function lastOfLabel(text: string): string {
  return text.length > labelLength ? text.slice(-labelLength).replace(/^-+|-+$/g, '') : text;
}

/**
 * The Pod that serves a catalogue: an init container unpacks the ConfigMaps, opm of the index image serves the files. All fields are those
 * of operator-sdk; with a pull secret the Pod pulls by it, where operator-sdk expects it in the ServiceAccount.
 *
 * @param configMaps with the catalogue
 * @param name default: that of operator-sdk
 */
export function registryPod(
  catalog: PodCatalog,
  configMaps: readonly ManifestObject[],
  name = registryPodName(catalog.bundles.at(-1)?.imageTag ?? ''),
): ManifestObject {
  const { names, namespace, indexImage, decompressionImage, imagePullPolicy } = catalog;
  const { serviceAccount, securityContext, pullSecret } = catalog;
  const folder = `/${names.catalog}-configs`;
  const parts = configMaps.map(({ metadata: { name: part } }) => ({
    part,
    volume: lastOfLabel(`${part}-volume`),
    unzip: lastOfLabel(`${part}-unzip`),
  }));
  const unzipped = parts.map(({ part, unzip }) => mount(unzip, `${folder}/${part}`, part));
  const compressed = parts.map(({ part, volume }) => mount(volume, `/compressed${folder}/${part}`, part));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: {
      ...(securityContext === 'restricted'
        ? { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }
        : {}),
      initContainers: [
        {
          name: 'registry-grpc-init',
          image: decompressionImage,
          command: ['sh', '-c', unpackScript(folder)],
          volumeMounts: [...unzipped, ...compressed],
        },
      ],
      containers: [
        {
          name: 'registry-grpc',
          image: indexImage,
          imagePullPolicy,
          command: ['sh', '-c', `opm serve ${folder} -p ${registryPort}`],
          ports: [{ name: 'grpc', containerPort: registryPort }],
          ...(securityContext === 'restricted' ? { securityContext: restricted } : {}),
          volumeMounts: unzipped,
        },
      ],
      volumes: parts.flatMap(({ part, volume, unzip }) => [
        {
          name: volume,
          configMap: { name: part, items: [{ key: contentKey, path: `${part}/${contentKey}.yaml.gz` }] },
        },
        { name: unzip, emptyDir: {} },
      ]),
      ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccount }),
      ...(pullSecret === undefined ? {} : { imagePullSecrets: [{ name: pullSecret }] }),
    },
  };
}

const restricted = {
  privileged: false,
  readOnlyRootFilesystem: false,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
};

function mount(name: string, mountPath: string, subPath: string) {
  return { name, mountPath, subPath };
}

function unpackScript(folder: string): string {
  return [
    `for dir in /compressed${folder}/*configmap-partition*; do `,
    'for f in ${dir}/*; do ',
    'file="${f%.*}";',
    'file="${file#/compressed}";',
    'cat ${f} | gzip -d -c > "${file}";',
    'done;done;',
  ].join('');
}
