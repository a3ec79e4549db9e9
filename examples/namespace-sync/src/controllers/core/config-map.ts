import {
  defineController,
  defineIndex,
  isNotFound,
  labelsChanged,
  metadataOnly,
  OpSdkError,
  terminalError,
  watch,
} from 'opsdk';
import type { ControllerClient } from 'opsdk';
import { ConfigMap, Namespace } from 'opsdk/k8s/core/v1';

/** A ConfigMap with this label, whatever its value, is copied. */
export const SOURCE = 'namespace-sync.example.com/source';
/** An annotation of a source: the label selector of the namespaces that get a copy. */
export const SELECTOR = 'namespace-sync.example.com/namespaces';
/** A label of every copy. */
export const COPY = 'namespace-sync.example.com/copy';
/** An annotation of a copy: namespace and name of its source. */
export const COPY_OF = 'namespace-sync.example.com/copy-of';
const FINALIZER = 'namespace-sync.example.com/copies';

const sources = defineIndex(ConfigMap, 'source', (each) => (isSource(each) ? 'yes' : undefined));
const copies = defineIndex(ConfigMap, 'copy of', sourceOf);

export const configMapController = defineController({
  name: 'namespace-sync',
  for: ConfigMap,
  // Only sources get the finalizer; one that has lost its label still has copies to delete.
  predicates: [({ object }) => isOurs(object)],
  watches: [
    // Owner references do not cross namespaces: an annotation of the copy says where it comes from.
    watch(ConfigMap, {
      map: async (object, { client }) => {
        const [namespace, name] = sourceOf(object)?.split('/') ?? [];
        const source = name && (await client.find(ConfigMap, { namespace, name }));
        return source && isOurs(source) ? [source.metadata] : [];
      },
    }),
    // Any source may select the namespace. Nothing is written where nothing changes.
    watch(metadataOnly(Namespace), {
      map: async (_namespace, { client }) =>
        (await client.byIndex(sources, 'yes')).items.map(({ metadata }) => metadata),
      predicates: [labelsChanged],
    }),
  ],
  indexes: [sources, copies],
  async reconcile(source, { client, events }) {
    const namespaces = await targetsOf(source, client).catch((error: unknown) => {
      if (!(error instanceof OpSdkError && error.code === 'runtime/invalid-selector')) throw error;
      events.warning('InvalidSelector', error.message);
      throw terminalError(error); // only another annotation helps
    });
    const { name } = source.metadata;
    const present = await client.byIndex(copies, nameOf(source));
    const wanted = new Set<string | undefined>();
    const failures: unknown[] = [];
    for (const namespace of namespaces) {
      const key = { namespace, name };
      // What the cache does not have yet may be there: an apply would overwrite it.
      const existing = (await client.find(ConfigMap, key)) ?? (await client.live.find(ConfigMap, key));
      if (existing !== undefined && sourceOf(existing) !== nameOf(source)) {
        const note = `${namespace} has a ConfigMap of this name already`;
        events.warning('NameTaken', note, { related: existing });
        continue;
      }
      wanted.add(namespace);
      // One namespace that refuses its copy, such as by a quota, does not keep the others from theirs.
      await client.apply(ConfigMap, desiredCopy(source, namespace)).catch((error) => failures.push(error));
    }
    const surplus = present.items.filter(({ metadata }) => !wanted.has(metadata.namespace));
    failures.push(...(await deleteAll(surplus, client)));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} copies failed`);
  },
  finalizer: FINALIZER,
  async finalize(source, { client }) {
    const { items } = await client.byIndex(copies, nameOf(source));
    const failures = await deleteAll(items, client);
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} copies remain`);
  },
});

/** The namespaces that get a copy; none without the annotation. */
async function targetsOf(source: ConfigMap, client: ControllerClient): Promise<readonly string[]> {
  const labelSelector = source.metadata.annotations?.[SELECTOR] ?? '';
  if (!isSource(source) || labelSelector.trim() === '') return [];
  const { items } = await client.list(metadataOnly(Namespace), { labelSelector });
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .filter((namespace) => namespace !== source.metadata.namespace);
}

/** The fields of a copy that the operator decides. */
export function desiredCopy(source: ConfigMap, namespace: string) {
  const { name } = source.metadata;
  const labels = { [COPY]: 'true' };
  const annotations = { [COPY_OF]: nameOf(source) };
  const { data, binaryData } = source;
  return { metadata: { namespace, name, labels, annotations }, data, binaryData };
}

/** @returns what went wrong */
async function deleteAll(objects: readonly ConfigMap[], client: ControllerClient): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const { metadata } of objects) {
    await client.delete(ConfigMap, metadata).catch((error) => {
      if (!isNotFound(error)) failures.push(error); // gone already
    });
  }
  return failures;
}

function isSource({ metadata }: ConfigMap): boolean {
  return metadata.labels?.[SOURCE] !== undefined && metadata.labels[COPY] === undefined;
}

/** A source, or what was one. */
function isOurs(object: ConfigMap): boolean {
  return isSource(object) || object.metadata.finalizers?.includes(FINALIZER) === true;
}

/** `namespace/name` of the source of a copy; undefined for other objects. */
function sourceOf({ metadata }: ConfigMap): string | undefined {
  return metadata.labels?.[COPY] === undefined ? undefined : metadata.annotations?.[COPY_OF];
}

function nameOf({ metadata }: ConfigMap): string {
  return `${metadata.namespace}/${metadata.name}`;
}
