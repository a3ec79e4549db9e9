import type { Difference } from './compare.ts';

/** A difference from controller-gen that we want. An entry that fits no difference any more makes the test fail. */
export interface WantedDifference {
  readonly path: RegExp;
  readonly when: (difference: Difference) => boolean;
  readonly reason: string;
}

const oneLine = (text: unknown) => (typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : text);

/** Where the kinds embed types of Kubernetes itself. */
const embedded =
  /\.(spec\.properties\.(jobTemplate|template|volumeClaims|nodeAffinity|pod|claims|strategy|ports|secret|env|selector|resources)|status(\.properties\.active)?)\./;

export const wantedDifferences: readonly WantedDifference[] = [
  {
    path: /\.properties\.(apiVersion|kind|conditions\.items\.properties\.\w+)\.description$/,
    when: ({ go, ts }) => oneLine(go) === oneLine(ts),
    reason:
      "the texts of Kubernetes' own types come from the API server's OpenAPI document, which joins their lines",
  },
  {
    path: /\.description$/,
    when: ({ path, ts }) => embedded.test(path) && ts === undefined,
    reason:
      'embedded types of Kubernetes bring no descriptions, or a CRD with a pod template would outgrow what kubectl apply can take',
  },
  {
    path: /\.(configMapRef|secretRef|configMap|secret)\.x-kubernetes-map-type$/,
    when: ({ go, ts }) => go === 'atomic' && ts === undefined,
    reason:
      'LocalObjectReference is atomic, but not where its field is inlined in ConfigMapEnvSource and its like: the API server itself merges those',
  },
  {
    path: /\.azureDisk\.properties\.(cachingMode|kind)\.default$/,
    when: ({ go, ts }) => go === undefined && typeof ts === 'string',
    reason: "controller-gen reads over Kubernetes' +default=ref(…); the API server fills these defaults in",
  },
  {
    path: /^settings\.config\.peers\.example\.com v1 .*\.spec\.properties\.level\.default$/,
    when: ({ go, ts }) => go === undefined && ts === 'info',
    reason:
      'controller-gen reads over a default on a type; a @default above an alias holds for every use of it',
  },
  {
    path: /^pools\.fleet\.peers\.example\.com v1 \.additionalPrinterColumns\[0\]\.description$/,
    when: ({ go, ts }) => go === undefined && ts === 'Clusters in the pool.',
    reason: 'the column of a @printerColumn takes the description of its field',
  },
];
