import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { Secret } from '../../sdk/k8s/generated/core/v1.ts';
import { isAlreadyExists, isConflict, isNotFound, type KubeClient } from '../../sdk/kube/index.ts';
import { refusal } from '../apply/installable-crds.ts';
import { applySetId, idLabel, toolingName, type ApplySetParent } from './apply-set.ts';
import { contentsAnnotations, readContents, unionOf, type ApplySetContents } from './contents.ts';

const toolingAnnotation = 'applyset.kubernetes.io/tooling';

export interface ParentOptions {
  /** Name and version of the tool that writes the inventory: `op-sdk/<version>`. */
  readonly tooling: string;
  readonly signal?: AbortSignal | undefined;
}

/** Options for writing the Secret of an inventory. The contents to write are passed separately. */
interface WriteOptions extends ParentOptions {
  readonly dryRun?: boolean;
}

/** Maximum number of attempts to write the Secret while other processes write it too. Two concurrent deploys need two attempts. */
const tries = 20;

/**
 * Reads the Secret of an inventory.
 *
 * @returns the Secret; undefined if it does not exist
 * @throws OpSdkError `cluster/inventory-of-others` if the Secret is not an inventory, or is the inventory of another tool; ApiError
 */
export async function readParent(
  client: KubeClient,
  parent: ApplySetParent,
  { tooling, signal }: ParentOptions,
): Promise<Secret | undefined> {
  const secret = await client.find(Secret, parent, { signal });
  if (secret !== undefined) checkParent(secret, parent, tooling);
  return secret;
}

/** Returns the contents that a Secret records; empty contents if the Secret does not exist. */
export function contentsOfParent(
  secret: Secret | undefined,
  { namespace }: ApplySetParent,
): ApplySetContents {
  return readContents(secret?.metadata.annotations ?? {}, namespace);
}

/**
 * Adds kinds and namespaces to those that the Secret records.
 *
 * @returns the updated Secret; the given Secret if it already records all of them
 * @throws ApiError, OpSdkError
 */
export async function widenParent(
  client: KubeClient,
  parent: ApplySetParent,
  known: Secret | undefined,
  contents: ApplySetContents,
  options: WriteOptions,
): Promise<Secret> {
  return writeParent(
    client,
    parent,
    known,
    (live) => unionOf(contentsOfParent(live, parent), contents),
    options,
  );
}

/**
 * Replaces the kinds and namespaces that the Secret records. If another deploy has written the Secret since it was read, nothing is removed
 * and `contents` are only added, because the other deploy has recorded what it is about to apply.
 *
 * @throws ApiError, OpSdkError
 */
export async function narrowParent(
  client: KubeClient,
  parent: ApplySetParent,
  known: Secret | undefined,
  contents: ApplySetContents,
  options: WriteOptions,
): Promise<Secret> {
  const decide = (live: Secret | undefined): ApplySetContents =>
    live?.metadata.resourceVersion === known?.metadata.resourceVersion
      ? contents
      : unionOf(contentsOfParent(live, parent), contents);
  return writeParent(client, parent, known, decide, options);
}

async function writeParent(
  client: KubeClient,
  parent: ApplySetParent,
  known: Secret | undefined,
  decide: (live: Secret | undefined) => ApplySetContents,
  options: WriteOptions,
): Promise<Secret> {
  const { tooling, signal, dryRun } = options;
  let live = known;
  for (let left = tries; ; left -= 1) {
    const annotations = { [toolingAnnotation]: tooling, ...contentsAnnotations(decide(live)) };
    try {
      if (live === undefined)
        return await client.create(
          Secret,
          { metadata: { ...parent, labels: { [idLabel]: applySetId(parent) }, annotations } },
          { signal, dryRun },
        );
      if (says(live, annotations)) return live;
      const { resourceVersion } = live.metadata;
      const body = { metadata: { resourceVersion, annotations } };
      return await client.patch(Secret, parent, { type: 'merge', body }, { signal, dryRun });
    } catch (error) {
      // If the Secret was written or deleted since it was read, the write is repeated. It is not repeated for a missing namespace, because
      // it would fail each time.
      const hasChanged =
        isAlreadyExists(error) || isConflict(error) || (isNotFound(error) && live !== undefined);
      if (!hasChanged || left === 0) throw error;
      live = await readParent(client, parent, options);
    }
  }
}

function says({ metadata }: Secret, annotations: Readonly<Record<string, string>>): boolean {
  return Object.entries(annotations).every(([name, value]) => metadata.annotations?.[name] === value);
}

/**
 * Checks, as kubectl does, that an existing Secret is the parent of the ApplySet and was written by this tool. Source: kubectl
 * `ApplySet.fetchParent`.
 */
function checkParent({ metadata }: Secret, parent: ApplySetParent, tooling: string): void {
  const id = metadata.labels?.[idLabel];
  const keeper = metadata.annotations?.[toolingAnnotation];
  if (id === undefined || keeper === undefined)
    throw new OpSdkError(
      ofOthers(parent, 'it is not the inventory of an ApplySet', [
        'op-sdk keeps its inventory under this name: rename the Secret',
      ]),
    );
  if (toolingName(keeper) !== toolingName(tooling))
    throw new OpSdkError(
      ofOthers(parent, `it is the inventory of ${keeper}`, [
        `continue to use ${toolingName(keeper)}, which manages these objects`,
        `or let op-sdk manage them from now on: kubectl delete secret ${parent.name} --namespace ${parent.namespace} deletes the inventory alone`,
      ]),
    );
  if (id !== applySetId(parent))
    throw new OpSdkError(
      ofOthers(parent, `its label ${idLabel} is of a Secret of another name or namespace`, [
        `delete the copy: kubectl delete secret ${parent.name} --namespace ${parent.namespace}`,
      ]),
    );
}

function ofOthers({ name, namespace }: ApplySetParent, what: string, fix: readonly string[]): Finding {
  return {
    code: 'cluster/inventory-of-others',
    message: `the Secret ${namespace}/${name} already exists: ${what}`,
    where: { object: `secret/${name}` },
    fix,
  };
}

/**
 * Converts the API server's refusal to read or write the Secret to findings.
 *
 * @throws the given error if it is not a response of the API server about the Secret
 */
export function parentRefusal(error: unknown, { name, namespace }: ApplySetParent): readonly Finding[] {
  const title = `secret/${name}`;
  return refusal(error, { title, where: { object: title } }).map((finding) =>
    // Only findings about missing permissions are replaced. The API server uses the same status for an exceeded quota and a terminating
    // namespace, whose findings have other codes and are not changed.
    finding.code !== 'cluster/forbidden'
      ? finding
      : {
          code: 'cluster/inventory-forbidden',
          message: `the inventory, Secret ${namespace}/${name}, cannot be kept: ${finding.message.slice(title.length + 2)}`,
          where: { object: title },
          fix: [
            `use a kubeconfig context whose user may get, create, patch and delete Secrets in the namespace ${namespace}`,
          ],
        },
  );
}
