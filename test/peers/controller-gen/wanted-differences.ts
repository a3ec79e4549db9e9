import type { Difference } from './compare.ts';

/** A difference from controller-gen that we want. An entry that fits no difference any more makes the test fail. */
export interface WantedDifference {
  readonly path: RegExp;
  readonly when: (difference: Difference) => boolean;
  readonly reason: string;
}

const oneLine = (text: unknown) => (typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : text);

/** What is inside of fields that hold types of Kubernetes itself: those texts are not ours. */
const embedded = [
  /\.openAPIV3Schema\.properties\.(apiVersion|kind)\./,
  /\.spec\.properties\.(jobTemplate|template|nodeAffinity|pod|strategy|secret|selector|resources)\.properties\./,
  /\.spec\.properties\.(volumeClaims|ports|env)\.items\./,
  /\.spec\.properties\.claims\.additionalProperties\.properties\.(metadata|spec)\.properties\./,
  /\.status\.properties\.(active|conditions)\.items\./,
  /^rollouts\..*\.openAPIV3Schema\.properties\.status\.properties\./,
];

export const wantedDifferences: readonly WantedDifference[] = [
  {
    path: /\.(?:evictionResponders|scheduling|schedulingConstraints|schedulingPolicy)\.(?:.*\.)?(?:x-kubernetes-validations|minLength|maxItems|minimum|maximum)$/,
    when: ({ ts }) => ts === undefined,
    reason:
      "controller-gen makes limits and rules of markers that are new in 1.37; the API server's OpenAPI document does not have them",
  },
  {
    path: /\.status\.properties\.conditions\.items\.required$/,
    when: ({ ts }) => Array.isArray(ts) && ts.includes('type'),
    reason:
      'the key of a list must be required in a CRD; 1.37 leaves the type of the conditions of workloads optional',
  },
  {
    path: /\.description$/,
    when: ({ path, go, ts }) => embedded.some((inside) => inside.test(path)) && oneLine(go) === oneLine(ts),
    reason:
      "the texts of Kubernetes' own types come from the API server's OpenAPI document, which joins their lines",
  },
  {
    path: /\.capabilities\.properties\.(add|drop)\.items\.description$/,
    when: ({ go, ts }) => go === 'Capability represent POSIX capabilities type' && ts === undefined,
    reason: "the API server's OpenAPI document has no text for items that are strings",
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
    path: /^settings\.config\.peers\.example\.com .*\.properties\.spec\.properties\.level\.default$/,
    when: ({ go, ts }) => go === undefined && ts === 'info',
    reason:
      'controller-gen reads over a default on a type; a @default above an alias holds for every use of it',
  },
  {
    path: /^pools\.fleet\.peers\.example\.com spec\.versions\[0\]\.additionalPrinterColumns\[0\]\.description$/,
    when: ({ go, ts }) => go === undefined && ts === 'Clusters in the pool.',
    reason: 'the column of a @printerColumn takes the description of its field',
  },
];
