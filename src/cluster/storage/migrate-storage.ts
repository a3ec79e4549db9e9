import { metadataOnly, type KubeObject, type Resource } from '../../sdk/api/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import { isConflict, isExpired, isNotFound, type KubeClient, keyText } from '../../sdk/kube/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { inParallel } from '../../base/util/in-parallel.ts';
import { refusal } from '../apply/installable-crds.ts';
import { readStoredDefinition, type StoredDefinition } from './check-storage.ts';

interface MigrationRequest {
  readonly client: KubeClient;
  readonly definition: StoredDefinition;
  /** If true, every write is sent as a dry run, and `status.storedVersions` stays unchanged. */
  readonly dryRun?: boolean | undefined;
  /** Maximum number of objects that one list request returns. Default: 500. */
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called after each page of the list. `done` counts the objects that are processed. `remaining` is the server's count of the objects on
   * further pages; undefined if the server does not give it.
   */
  readonly onProgress?:
    ((progress: { readonly done: number; readonly remaining: number | undefined }) => void) | undefined;
}

/** Result of the migration of all objects of a kind. */
export interface Migration {
  /** Number of objects that were written, and are therefore stored in the storage version now. */
  readonly rewritten: number;
  /** Number of objects that were deleted meanwhile. */
  readonly gone: number;
  /** Reasons why objects could not be written. These objects may still be stored in another version. */
  readonly findings: readonly Finding[];
  /** Value of `status.storedVersions` after the migration. */
  readonly storedVersions: readonly string[];
}

/**
 * Maximum number of attempts to write an object if others write it at the same time. After a conflict, another attempt is needed, because
 * the other write may have used the former storage version.
 */
const mostAttempts = 5;

/**
 * Makes the API server store every object of a kind in the storage version. Sends an empty patch for each object. The patch does not change
 * the object, but makes the API server encode and write it again. Afterwards, removes all other versions from `status.storedVersions`,
 * unless an object could not be written or the definition has changed meanwhile. A repetition is safe, and resumes an interrupted
 * migration.
 *
 * Source: kubernetes `pkg/controller/storageversionmigrator`, which does the same from inside the cluster.
 *
 * @throws ApiError, TransportError, the signal's reason
 */
export async function migrateStorage(request: MigrationRequest): Promise<Migration> {
  const { definition, signal } = request;
  const { readable, storedVersions } = definition;
  const unfinished = (findings: readonly Finding[]): Migration => ({
    rewritten: 0,
    gone: 0,
    findings,
    storedVersions,
  });
  if (readable === undefined)
    return unfinished([
      {
        code: 'cluster/storage-not-readable',
        message: `CustomResourceDefinition ${definition.name}: no version is served, so that its objects cannot be read`,
        fix: ['serve a version, at least during the migration'],
      },
    ]);
  const written = await rewriteAll(request, readable);
  if (written.findings.length > 0 || request.dryRun === true) return { ...written, storedVersions };
  signal?.throwIfAborted();
  return { ...written, ...(await prune(request)) };
}

type Written = Pick<Migration, 'rewritten' | 'gone' | 'findings'>;

async function rewriteAll(request: MigrationRequest, resource: Resource<KubeObject>): Promise<Written> {
  const { client, signal, pageSize, onProgress } = request;
  // Uids of the objects that are already written. If a list expires, it is read again from the start, and these objects are skipped.
  const seen = new Set<string>();
  const findings: Finding[] = [];
  let [rewritten, gone] = [0, 0];
  for (;;) {
    try {
      for await (const page of client.pages(metadataOnly(resource), { signal, limit: pageSize })) {
        const todo = page.items.filter(({ metadata }) => !seen.has(metadata.uid ?? ''));
        const results = await inParallel(todo, (object) => rewrite(request, resource, object));
        for (const [index, result] of results.entries()) {
          seen.add(todo[index]?.metadata.uid ?? '');
          if (result === 'rewritten') rewritten += 1;
          else if (result === 'gone') gone += 1;
          else findings.push(...result);
        }
        onProgress?.({ done: seen.size, remaining: page.metadata.remainingItemCount });
      }
      return { rewritten, gone, findings };
    } catch (error) {
      // The list has expired, because the server no longer has the state of the objects from which the pages are read.
      if (!isExpired(error)) throw error;
      signal?.throwIfAborted();
    }
  }
}

async function rewrite(
  { client, dryRun = false, signal }: MigrationRequest,
  resource: Resource<KubeObject>,
  {
    metadata: { name, namespace },
  }: { readonly metadata: { readonly name: string; readonly namespace?: string | undefined } },
): Promise<'rewritten' | 'gone' | readonly Finding[]> {
  const key = { name, namespace };
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      await client.patch(metadataOnly(resource), key, { type: 'merge', body: {} }, { dryRun, signal });
      return 'rewritten';
    } catch (error) {
      if (isNotFound(error)) return 'gone';
      if (isConflict(error) && attempt < mostAttempts) continue;
      const title = `${resource.kind} ${keyText(key)}`;
      return refusal(error, { title, where: { object: title } });
    }
  }
}

async function prune({
  client,
  definition,
  signal,
}: MigrationRequest): Promise<Pick<Migration, 'findings' | 'storedVersions'>> {
  const { name, identity, storageVersion } = definition;
  const changed = (storedVersions: readonly string[]): Pick<Migration, 'findings' | 'storedVersions'> => ({
    storedVersions,
    findings: [
      {
        code: 'cluster/storage-changed',
        message: `CustomResourceDefinition ${name} changed during the migration; status.storedVersions is left as it is`,
        fix: ['op-sdk storage migrate'],
      },
    ],
  });
  const now = await readStoredDefinition(client, name, signal);
  if (now === undefined || now.identity !== identity) return changed(now?.storedVersions ?? []);
  if (!now.needsMigration) return { findings: [], storedVersions: now.storedVersions };
  const storedVersions = [storageVersion];
  try {
    await client.subresource(CustomResourceDefinition, { name }, 'status').patch(
      {
        type: 'merge',
        // Set the resourceVersion, so that a concurrent change of the definition causes a conflict. After a conflict, no version is
        // removed.
        body: { metadata: { resourceVersion: now.resourceVersion }, status: { storedVersions } },
      },
      { signal },
    );
    return { findings: [], storedVersions };
  } catch (error) {
    if (isConflict(error)) return changed(now.storedVersions);
    const title = `CustomResourceDefinition ${name}`;
    return {
      findings: refusal(error, { title, where: { object: title } }),
      storedVersions: now.storedVersions,
    };
  }
}
