import type { ManagedFieldsEntry } from '../../sdk/api/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { isConflict, isNotFound, type KubeClient } from '../../sdk/kube/index.ts';
import { isJsonMap, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import {
  asksService,
  conversionOf,
  conversionUrl,
  type WebhookServer,
  withWebhookUrls,
  conversionBefore,
  conversionTakenBy,
  localLabel,
  localOwner,
  type LocalMarks,
} from './with-webhook-urls.ts';

/**
 * A CustomResourceDefinition whose conversion webhook this process has redirected to its own server, with the data for restoring the
 * original conversion.
 */
export interface TakenConversion {
  /** The name of the CustomResourceDefinition. */
  readonly name: string;
  /** The value of `spec.conversion` before the redirection. */
  readonly before: JsonMap;
  /** The URL on this process's server to which the conversion is redirected. */
  readonly url: string;
  /** The field owners before the redirection. They may be restored only as long as nobody else changes the definition. */
  readonly owners: { readonly generation: number; readonly managedFields: readonly ManagedFieldsEntry[] };
  /** True if the definition has annotations that mark the redirection. One annotation stores `before`. */
  readonly isMarked: boolean;
}

/** Field manager of the writes that redirect and restore conversions. After a restoration, this manager owns no field of the definition. */
const fieldManager = 'op-sdk-webhooks';

interface TakeOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Marks (annotations and a label) to set on the definition, for a cluster that outlives this process. One annotation stores the original
   * conversion. If an earlier process has already stored a conversion, that conversion counts as the original.
   */
  readonly marks?: LocalMarks;
  /** Checks the definition as read from the cluster. Throws if the conversion of the definition must not be redirected. */
  readonly check?: (live: CustomResourceDefinition) => Promise<void>;
}

/**
 * Redirects the conversion webhook of an existing definition to a server of this process. Server-side apply cannot be used, because a
 * `service` owned by another manager would remain beside the URL, and the API server refuses a `service` together with a URL.
 * @param conversion the intended conversion of the definition, with a Service
 * @returns undefined if the cluster has no such definition
 * @throws ApiError; the error of `check`
 */
export async function takeConversion(
  client: KubeClient,
  name: string,
  conversion: JsonMap,
  server: WebhookServer,
  { signal, marks, check }: TakeOptions,
): Promise<TakenConversion | undefined> {
  const target = withWebhookUrls({ kind: 'CustomResourceDefinition', spec: { conversion } }, server);
  const url = conversionUrl(target) ?? '';
  const beforeOf = (live: CustomResourceDefinition): JsonMap =>
    (marks === undefined ? undefined : keptConversion(live)) ?? conversionOf(live) ?? { strategy: 'None' };
  const taken = await rewrite(client, name, signal, async (live) => {
    await check?.(live);
    const spec = { conversion: patchBetween(conversionOf(live), conversionOf(target) ?? {}) };
    return marks === undefined ? { spec } : { metadata: marked(marks, beforeOf(live), url), spec };
  });
  if (taken === undefined) return undefined;
  const { seen, written } = taken;
  const owners = {
    generation: written.metadata.generation ?? 0,
    managedFields: seen.metadata.managedFields ?? [],
  };
  return { name, before: beforeOf(seen), url, owners, isMarked: marks !== undefined };
}

/**
 * Restores the original conversion of a definition, unless somebody else has changed the definition since the redirection.
 * @returns true if the conversion was restored
 * @throws ApiError, also if the API server refuses the original conversion
 */
export async function restoreConversion(
  client: KubeClient,
  taken: TakenConversion,
  signal?: AbortSignal,
): Promise<boolean> {
  const { name, url, owners } = taken;
  const restored = await rewrite(client, name, signal, (live) =>
    conversionUrl(live) === url ? restoringPatch(live, taken) : undefined,
  );
  if (restored === undefined) return false;
  const { resourceVersion, managedFields = [] } = restored.written.metadata;
  const value =
    restored.seen.metadata.generation === owners.generation
      ? owners.managedFields
      : managedFields.filter(({ manager }) => manager !== fieldManager);
  const body = { metadata: { resourceVersion, managedFields: value } };
  try {
    await client.patch(CustomResourceDefinition, { name }, { type: 'merge', body }, { fieldManager, signal });
  } catch (error) {
    // Not found or a conflict means that somebody deleted or changed the definition in the meantime, so the conversion is not restored.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
  return true;
}

/** Returns the kubectl command with which a person can restore the original conversion. */
export function restoringCommand(live: CustomResourceDefinition, taken: TakenConversion): string {
  const patch = JSON.stringify(restoringPatch(live, taken)).replaceAll("'", String.raw`'\''`);
  return `kubectl patch customresourcedefinitions ${taken.name} --type=merge -p '${patch}'`;
}

/**
 * Patches a definition with optimistic locking. If somebody changed the definition after it was read, reads it again and retries.
 * @param patchOf returns a merge patch; undefined to leave the definition unchanged
 * @returns undefined if nothing was written
 */
async function rewrite(
  client: KubeClient,
  name: string,
  signal: AbortSignal | undefined,
  patchOf: (live: CustomResourceDefinition) => JsonMap | undefined | Promise<JsonMap | undefined>,
): Promise<
  { readonly seen: CustomResourceDefinition; readonly written: CustomResourceDefinition } | undefined
> {
  for (;;) {
    const seen = await client.find(CustomResourceDefinition, { name }, { signal });
    const patch = seen && (await patchOf(seen));
    if (seen === undefined || patch === undefined) return undefined;
    const { resourceVersion } = seen.metadata;
    const body = { ...patch, metadata: { ...jsonMapOf(patch['metadata']), resourceVersion } };
    const options = { fieldManager, signal };
    try {
      return {
        seen,
        written: await client.patch(CustomResourceDefinition, { name }, { type: 'merge', body }, options),
      };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isConflict(error)) throw error;
    }
  }
}

function restoringPatch(live: CustomResourceDefinition, { before, isMarked }: TakenConversion): JsonMap {
  const spec = { conversion: patchBetween(conversionOf(live), before) };
  return isMarked ? { metadata: unmarked, spec } : { spec };
}

/**
 * Returns the merge patch that turns one JSON object into another.
 * Source: RFC 7386.
 */
function patchBetween(from: JsonMap | undefined, to: JsonMap): JsonMap {
  const absent = Object.keys(from ?? {}).filter((key) => !(key in to));
  const merged = Object.entries(to).map(([key, value]) => {
    const present = from?.[key];
    return [key, isJsonMap(present) && isJsonMap(value) ? patchBetween(present, value) : value] as const;
  });
  return { ...Object.fromEntries(absent.map((key) => [key, null])), ...Object.fromEntries(merged) };
}

/**
 * Finds a conversion that a process redirected and, because it was killed, did not restore. Pass the result to {@link restoreConversion}.
 * @returns undefined if the definition has no stored conversion, or if its conversion was changed after the redirection
 */
export function leftConversion(live: CustomResourceDefinition): TakenConversion | undefined {
  const [before, url] = [keptConversion(live), conversionUrl(live)];
  if (before === undefined || url === undefined) return undefined;
  // Only the killed process had the original field owners, so they cannot be restored.
  const owners = { generation: -1, managedFields: [] };
  return { name: live.metadata.name, before, url, owners, isMarked: true };
}

/**
 * Returns the original conversion that is stored in an annotation. Returns undefined if the conversion was changed after the redirection,
 * to a Service or to another URL.
 */
function keptConversion(live: CustomResourceDefinition): JsonMap | undefined {
  const { [conversionBefore]: text, [conversionTakenBy]: url } = live.metadata.annotations ?? {};
  if (text === undefined || url === undefined || conversionUrl(live) !== url) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonMap(value) ? value : undefined;
  } catch {
    // The text is not valid JSON, because somebody edited the annotation.
    return undefined;
  }
}

function marked({ owner, project }: LocalMarks, before: JsonMap, url: string): JsonMap {
  return {
    annotations: {
      [conversionBefore]: JSON.stringify(before),
      [conversionTakenBy]: url,
      [localOwner]: owner,
    },
    labels: { [localLabel]: project },
  };
}

/** Metadata patch that removes the annotations and the label that {@link marked} adds. */
const unmarked: JsonMap = {
  annotations: { [conversionBefore]: null, [conversionTakenBy]: null, [localOwner]: null },
  labels: { [localLabel]: null },
};

/** Returns the `spec.conversion` of each CustomResourceDefinition whose conversion webhook is a Service, by name of the definition. */
export function serviceConversions(
  objects: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[],
): ReadonlyMap<string, JsonMap> {
  return new Map(
    objects.flatMap((object) => {
      const conversion = asksService(object) ? conversionOf(object) : undefined;
      return conversion === undefined ? [] : [[object.metadata.name, conversion] as const];
    }),
  );
}
